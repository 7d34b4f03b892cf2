"""Checkpoints of the size of published models, with random weights made on the GPU: what they say means nothing, what
they cost is what the real ones cost. For `gpu.py`."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
import torch
import transformers
from support import checkpoints as tiny


def make_random_model(kind: Any, config: Any) -> Any:
    """A model with random weights in bfloat16, made on the GPU."""
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device("cuda"):
            return kind(config) if not isinstance(config, dict) else kind(**config)
    finally:
        torch.set_default_dtype(torch.float32)


def grounding_dino_tiny(folder: Path) -> Path:
    """Grounding DINO with Swin-T: 172 million parameters."""
    backbone = transformers.SwinConfig(
        embed_dim=96, depths=[2, 2, 6, 2], num_heads=[3, 6, 12, 24], window_size=7, image_size=224,
        out_features=["stage2", "stage3", "stage4"],
    )  # fmt: skip
    config = transformers.GroundingDinoConfig(backbone_config=backbone, disable_custom_kernels=True)
    processor = transformers.GroundingDinoProcessor(
        transformers.GroundingDinoImageProcessor(), transformers.BertTokenizer(vocab=tiny.word_pieces())
    )
    return tiny.save(folder, make_random_model(transformers.GroundingDinoForObjectDetection, config), processor)


def owlv2_base(folder: Path) -> Path:
    """OWLv2 base, patches of 16: 155 million parameters, pictures of 960 pixels."""
    tokenizer = tiny.clip_tokenizer(16)
    config = transformers.Owlv2Config(
        text_config={"max_position_embeddings": 16, "pad_token_id": tokenizer.pad_token_id},
        vision_config={"image_size": 960, "patch_size": 16},
    )
    processor = transformers.Owlv2Processor(
        transformers.Owlv2ImageProcessor(size={"height": 960, "width": 960}), tokenizer
    )
    return tiny.save(folder, make_random_model(transformers.Owlv2ForObjectDetection, config), processor)


def sam2_large(folder: Path) -> Path:
    """SAM 2.1 with Hiera-L: 224 million parameters."""
    backbone = transformers.Sam2HieraDetConfig(
        hidden_size=144, num_attention_heads=2, blocks_per_stage=[2, 6, 36, 4],
        embed_dim_per_stage=[144, 288, 576, 1152], num_attention_heads_per_stage=[2, 4, 8, 16],
        window_size_per_stage=[8, 4, 16, 8], global_attention_blocks=[23, 33, 43],
        window_positional_embedding_background_size=[7, 7],
    )  # fmt: skip
    config = transformers.Sam2Config(
        vision_config={
            "backbone_config": backbone.to_dict(),
            "backbone_channel_list": [1152, 576, 288, 144],
            "model_type": "sam2_vision_model",
        }
    )
    processor = transformers.Sam2Processor(transformers.Sam2ImageProcessor(), target_size=1024)
    return tiny.save(folder, make_random_model(transformers.Sam2Model, config), processor)


def qwen3_vl_4b(folder: Path) -> Path:
    """Qwen3-VL-4B: 4.4 billion parameters."""
    tokenizer = tiny.qwen_tokenizer()
    ids = tokenizer.convert_tokens_to_ids
    config = transformers.Qwen3VLConfig(
        text_config={
            "vocab_size": 151_936,
            "hidden_size": 2560,
            "intermediate_size": 9728,
            "num_hidden_layers": 36,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "max_position_embeddings": 262_144,
            "tie_word_embeddings": True,
            "rope_parameters": {
                "rope_type": "default",
                "mrope_section": [24, 20, 20],
                "mrope_interleaved": True,
                "rope_theta": 5_000_000.0,
            },
            "eos_token_id": ids("<|im_end|>"),
            "pad_token_id": ids("<|endoftext|>"),
        },
        vision_config={
            "depth": 24,
            "hidden_size": 1024,
            "intermediate_size": 4096,
            "num_heads": 16,
            "patch_size": 16,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
            "out_hidden_size": 2560,
            "num_position_embeddings": 2304,
            "deepstack_visual_indexes": [5, 11, 17],
        },
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
        tie_word_embeddings=True,
    )
    model = make_random_model(transformers.Qwen3VLForConditionalGeneration, config)
    model.generation_config.eos_token_id = ids("<|im_end|>")
    model.generation_config.pad_token_id = ids("<|endoftext|>")
    patches = {"patch_size": 16, "merge_size": 2, "temporal_patch_size": 2}
    processor = transformers.Qwen3VLProcessor(
        transformers.Qwen2VLImageProcessor(**patches, size={"shortest_edge": 256**2, "longest_edge": 1024**2}),
        tokenizer,
        transformers.Qwen3VLVideoProcessor(**patches),
        chat_template=tokenizer.chat_template,
    )
    return tiny.save(folder, model, processor)


def pp_formulanet_l(folder: Path) -> Path:
    """PP-FormulaNet_plus-L by the defaults of its configuration."""
    vocabulary, merges = tiny.byte_pairs(["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer = transformers.BartTokenizer(vocab=vocabulary, merges=merges)
    model = make_random_model(
        transformers.PPFormulaNetForConditionalGeneration,
        transformers.PPFormulaNetConfig(vision_config={"image_size": 768}),
    )
    return tiny.save(
        folder, model, transformers.PPFormulaNetProcessor(transformers.PPFormulaNetImageProcessor(), tokenizer)
    )


def clip_large(folder: Path) -> Path:
    """CLIP ViT-L/14: 428 million parameters."""
    tokenizer = tiny.clip_tokenizer(77)
    config = transformers.CLIPConfig(
        text_config={
            "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
            "eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id,
        },
        vision_config={
            "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16,
            "patch_size": 14,
        },
        projection_dim=768,
    )  # fmt: skip
    processor = transformers.CLIPProcessor(transformers.CLIPImageProcessor(), tokenizer)
    return tiny.save(folder, make_random_model(transformers.CLIPModel, config), processor)


def whisper_turbo(folder: Path) -> Path:
    """Whisper large-v3-turbo: 809 million parameters, with the small vocabulary of the tiny one."""
    tiny.whisper(folder)
    config = transformers.WhisperConfig.from_pretrained(folder)
    config.update(
        {
            "d_model": 1280, "encoder_layers": 32, "decoder_layers": 4, "encoder_attention_heads": 20,
            "decoder_attention_heads": 20, "encoder_ffn_dim": 5120, "decoder_ffn_dim": 5120, "num_mel_bins": 128,
            "vocab_size": 51_866,
        }
    )  # fmt: skip
    settings = transformers.GenerationConfig.from_pretrained(folder)
    settings.max_length = 64
    model = make_random_model(transformers.WhisperForConditionalGeneration, config)
    model.generation_config = settings
    processor = transformers.WhisperProcessor.from_pretrained(folder)
    processor.feature_extractor = transformers.WhisperFeatureExtractor(feature_size=128)
    return tiny.save(folder, model, processor)


def vits_mms(folder: Path) -> Path:
    """A voice of MMS: 36 million parameters."""
    tiny.vits(folder)
    length = len(transformers.AutoTokenizer.from_pretrained(folder))
    model = transformers.VitsModel(transformers.VitsConfig(vocab_size=length))
    return tiny.save(folder, model)


def musicgen_small(folder: Path) -> Path:
    """MusicGen small: about 550 million parameters with its text encoder and codec."""
    tiny.musicgen(folder)
    config = transformers.MusicgenConfig(
        text_encoder=transformers.T5Config(d_model=768, num_layers=12, num_heads=12, d_ff=3072).to_dict(),
        audio_encoder=transformers.EncodecConfig(
            sampling_rate=32_000, audio_channels=1, normalize=False, chunk_length_s=None, num_filters=64,
            upsampling_ratios=[8, 5, 4, 4], codebook_size=2048, codebook_dim=128, target_bandwidths=[2.2],
        ).to_dict(),
        decoder=transformers.MusicgenDecoderConfig().to_dict(),
    )  # fmt: skip
    settings = transformers.GenerationConfig.from_pretrained(folder)
    for name in ("decoder_start_token_id", "pad_token_id", "bos_token_id"):
        setattr(settings, name, 2048)
    model = make_random_model(transformers.MusicgenForConditionalGeneration, config)
    model.generation_config = settings
    return tiny.save(folder, model)


def flux2_klein_4b(folder: Path) -> Path:
    """FLUX.2-klein-4B: a transformer of about 4 billion parameters, and Qwen3-4B as text encoder."""
    import diffusers

    tokenizer = tiny.qwen_tokenizer()
    text = make_random_model(
        transformers.Qwen3ForCausalLM,
        transformers.Qwen3Config(
            vocab_size=151_936, hidden_size=2560, intermediate_size=9728, num_hidden_layers=36,
            num_attention_heads=32, num_key_value_heads=8, head_dim=128, tie_word_embeddings=True,
        ),
    )  # fmt: skip
    transformer = make_random_model(
        diffusers.Flux2Transformer2DModel,
        {
            "in_channels": 128, "num_layers": 5, "num_single_layers": 20, "attention_head_dim": 128,
            "num_attention_heads": 24, "joint_attention_dim": 7680, "guidance_embeds": False,
        },
    )  # fmt: skip
    coder = make_random_model(diffusers.AutoencoderKLFlux2, {})
    pipeline = diffusers.Flux2KleinPipeline(
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True),
        vae=coder, text_encoder=text, tokenizer=tokenizer, transformer=transformer, is_distilled=True,
    )  # fmt: skip
    return tiny.save(folder, pipeline)


def wan_1b(folder: Path) -> Path:
    """Wan2.1-T2V-1.3B, with two of the 24 layers of its text encoder (which runs once a video)."""
    import diffusers

    tokenizer = tiny.t5_tokenizer()
    text = make_random_model(
        transformers.UMT5EncoderModel,
        transformers.UMT5Config(vocab_size=256, d_model=4096, d_kv=64, d_ff=10_240, num_layers=2, num_heads=64),
    )
    transformer = make_random_model(
        diffusers.WanTransformer3DModel, {"num_attention_heads": 12, "ffn_dim": 8960, "num_layers": 30}
    )
    pipeline = diffusers.WanPipeline(
        tokenizer=tokenizer,
        text_encoder=text,
        transformer=transformer,
        vae=make_random_model(diffusers.AutoencoderKLWan, {}),
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(shift=3.0),
    )
    return tiny.save(folder, pipeline)


BUILDERS: Mapping[str, tuple[str, Callable[[Path], Path]]] = {
    "clip-l": ("embeddings", clip_large),
    "grounding-dino-t": ("objects", grounding_dino_tiny),
    "owlv2-base": ("objects", owlv2_base),
    "sam2.1-l": ("masks", sam2_large),
    "qwen3-vl-4b": ("vision", qwen3_vl_4b),
    "pp-formulanet-l": ("formulas", pp_formulanet_l),
    "whisper-turbo": ("transcription", whisper_turbo),
    "vits-mms": ("voice", vits_mms),
    "musicgen-s": ("music", musicgen_small),
    "flux2-klein-4b": ("images", flux2_klein_4b),
    "wan2.1-1.3b": ("video", wan_1b),
}
"""Name -> capability and builder, the cheap ones first."""
