"""Tiny checkpoints with random weights, made by the real classes and saved as the real ones are: no download.

What comes out of them means nothing; that it comes out, and in which shape, is what tests look at.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolyard.models.local.families.loading import require_torch

require_torch()
import torch  # noqa: E402 - after the worker has made it ready
import transformers  # noqa: E402
from tokenizers import Tokenizer, models, pre_tokenizers, trainers  # noqa: E402

_LINES = (
    "a photo of a red circle and a blue square on the table",
    "the quick brown fox jumps over the lazy dog 0123456789",
    "what is in the image? detect text, formula: \\frac{a}{b} + x^2 = \\sum_{i=1}^{n}",
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def save(folder: Path, *things: Any) -> Path:
    """Save a model and its processors in one directory."""
    folder.mkdir(parents=True, exist_ok=True)
    for thing in things:
        thing.save_pretrained(folder)
    return folder


def byte_pairs(special: Sequence[str] = ()) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Vocabulary and merges of a byte-level BPE, learnt from three lines."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, initial_alphabet=alphabet, special_tokens=list(special), show_progress=False
    )
    tokenizer.train_from_iterator(_LINES, trainer)
    learnt = json.loads(tokenizer.to_str())["model"]
    return learnt["vocab"], [tuple(merge) for merge in learnt["merges"]]


def word_pieces() -> dict[str, int]:
    """A vocabulary of BERT: letters, and a few words."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [*_LETTERS, *".,?!'-"]
    pieces = [*special, *letters, *(f"##{letter}" for letter in _LETTERS), "red", "blue", "circle", "square", "cat"]
    return {piece: index for index, piece in enumerate(dict.fromkeys(pieces))}


def clip_tokenizer(longest: int) -> Any:
    """A tokenizer of CLIP."""
    vocabulary = dict(byte_pairs()[0])
    for token in ("<|startoftext|>", "<|endoftext|>"):
        vocabulary[token] = len(vocabulary)
    for token in [token for token in vocabulary if len(token) == 1]:
        vocabulary.setdefault(token + "</w>", len(vocabulary))
    tokenizer = transformers.CLIPTokenizer(vocab=vocabulary, merges=[])
    tokenizer.model_max_length = longest
    return tokenizer


def text_ids(tokenizer: Any) -> dict[str, int]:
    """The ids of the special tokens, as configurations take them."""
    return {
        "vocab_size": len(tokenizer),
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }


_TWO_LAYERS = {
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 2,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "num_queries": 20,
    "num_feature_levels": 4,
    "disable_custom_kernels": True,
}


def grounding_dino(folder: Path) -> Path:
    return _phrases(folder, transformers.GroundingDinoConfig, transformers.GroundingDinoForObjectDetection)


def mm_grounding_dino(folder: Path) -> Path:
    return _phrases(folder, transformers.MMGroundingDinoConfig, transformers.MMGroundingDinoForObjectDetection)


def _phrases(folder: Path, config: Any, model: Any) -> Path:
    tokenizer = transformers.BertTokenizer(vocab=word_pieces())
    backbone = transformers.SwinConfig(
        image_size=64,
        patch_size=4,
        embed_dim=16,
        depths=[1, 1, 1, 1],
        num_heads=[1, 1, 2, 2],
        window_size=4,
        out_features=["stage2", "stage3", "stage4"],
    )
    text = transformers.BertConfig(
        vocab_size=len(word_pieces()),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
    )
    pictures = transformers.GroundingDinoImageProcessor(size={"shortest_edge": 64, "longest_edge": 96})
    made = model(config(backbone_config=backbone, text_config=text, **_TWO_LAYERS))
    return save(folder, made, transformers.GroundingDinoProcessor(pictures, tokenizer))


def owlv2(folder: Path) -> Path:
    tokenizer = clip_tokenizer(16)
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.Owlv2Config(
        text_config={**size, "max_position_embeddings": 16, **text_ids(tokenizer)},
        vision_config={**size, "image_size": 64, "patch_size": 16},
        projection_dim=32,
    )
    pictures = transformers.Owlv2ImageProcessor(size={"height": 64, "width": 64})
    model = transformers.Owlv2ForObjectDetection(config)
    return save(folder, model, transformers.Owlv2Processor(pictures, tokenizer))


def sam2(folder: Path) -> Path:
    backbone = {
        "model_type": "sam2_hiera_det_model",
        "hidden_size": 8,
        "num_attention_heads": 1,
        "image_size": [64, 64],
        "patch_kernel_size": [7, 7],
        "patch_stride": [4, 4],
        "patch_padding": [3, 3],
        "window_positional_embedding_background_size": [4, 4],
        "blocks_per_stage": [1, 1, 2, 1],
        "embed_dim_per_stage": [8, 16, 32, 64],
        "num_attention_heads_per_stage": [1, 1, 2, 2],
        "window_size_per_stage": [4, 4, 4, 2],
        "query_stride": [2, 2],
        "num_query_pool_stages": 3,
        "global_attention_blocks": [3],
    }
    config = transformers.Sam2Config(
        vision_config={
            "model_type": "sam2_vision_model",
            "backbone_config": backbone,
            "backbone_channel_list": [64, 32, 16, 8],
            "backbone_feature_sizes": [[16, 16], [8, 8], [4, 4]],
            "fpn_hidden_size": 32,
        },
        prompt_encoder_config={"hidden_size": 32, "image_size": 64, "patch_size": 16, "mask_input_channels": 8},
        mask_decoder_config={
            "hidden_size": 32,
            "mlp_dim": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "iou_head_hidden_dim": 32,
        },
    )
    pictures = transformers.Sam2ImageProcessor(size={"height": 64, "width": 64}, mask_size={"height": 16, "width": 16})
    return save(folder, transformers.Sam2Model(config), transformers.Sam2Processor(pictures, target_size=64))


def sam3(folder: Path) -> Path:
    tokenizer = clip_tokenizer(32)
    heads = {"hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 64}
    backbone = {
        **heads,
        "model_type": "sam3_vit_model",
        "num_hidden_layers": 4,
        "image_size": 112,
        "patch_size": 14,
        "window_size": 4,
        "global_attn_indexes": [1, 3],
        "pretrain_image_size": 56,
    }
    config = transformers.Sam3Config(
        vision_config={
            "backbone_config": backbone,
            "fpn_hidden_size": 32,
            "backbone_feature_sizes": [[32, 32], [16, 16], [8, 8]],
        },
        text_config={
            **heads,
            **text_ids(tokenizer),
            "projection_dim": 32,
            "num_hidden_layers": 2,
            "max_position_embeddings": 32,
        },
        geometry_encoder_config={**heads, "num_layers": 1},
        detr_encoder_config={**heads, "num_layers": 1},
        detr_decoder_config={**heads, "num_layers": 2, "num_queries": 10},
        mask_decoder_config={"hidden_size": 32, "num_upsampling_stages": 3, "num_attention_heads": 4},
    )
    pictures = transformers.Sam3ImageProcessor(
        size={"height": 112, "width": 112}, mask_size={"height": 32, "width": 32}
    )
    processor = transformers.Sam3Processor(pictures, tokenizer, target_size=112)
    return save(folder, transformers.Sam3Model(config), processor)


_QWEN_TOKENS = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>"),
    *("<|video_pad|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>"),
)
_QWEN_TALK = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n"
    "{% if m['content'] is string %}{{ m['content'] }}{% else %}{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif 'text' in c %}{{ c['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def qwen_tokenizer(**more: Any) -> Any:
    """A tokenizer of Qwen, with its template of a talk."""
    vocabulary, merges = byte_pairs()
    tokenizer = transformers.Qwen2Tokenizer(vocab=vocabulary, merges=merges, **more)
    tokenizer.add_special_tokens({"additional_special_tokens": list(_QWEN_TOKENS[1:])})
    tokenizer.chat_template, tokenizer.model_max_length = _QWEN_TALK, 4096
    return tokenizer


def qwen_text(tokenizer: Any) -> dict[str, Any]:
    """The language model of Qwen3-VL, tiny."""
    ids = tokenizer.convert_tokens_to_ids
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "max_position_embeddings": 4096,
        "rope_parameters": {
            "rope_type": "default",
            "mrope_section": [2, 1, 1],
            "mrope_interleaved": True,
            "rope_theta": 10000.0,
        },
        "bos_token_id": ids("<|im_start|>"),
        "eos_token_id": ids("<|im_end|>"),
        "pad_token_id": ids("<|endoftext|>"),
    }


def qwen3_vl(folder: Path) -> Path:
    tokenizer = qwen_tokenizer()
    ids = tokenizer.convert_tokens_to_ids
    config = transformers.Qwen3VLConfig(
        text_config=qwen_text(tokenizer),
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 4,
            "patch_size": 16,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
            "out_hidden_size": 32,
            "num_position_embeddings": 64,
            "deepstack_visual_indexes": [0],
        },
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
    )
    model = transformers.Qwen3VLForConditionalGeneration(config)
    model.generation_config.eos_token_id = ids("<|im_end|>")
    model.generation_config.pad_token_id = ids("<|endoftext|>")
    patches = {"patch_size": 16, "merge_size": 2, "temporal_patch_size": 2}
    pictures = transformers.Qwen2VLImageProcessor(**patches, size={"shortest_edge": 32**2, "longest_edge": 128**2})
    videos = transformers.Qwen3VLVideoProcessor(**patches)
    processor = transformers.Qwen3VLProcessor(pictures, tokenizer, videos, chat_template=_QWEN_TALK)
    return save(folder, model, processor)


def paddleocr_vl(folder: Path) -> Path:
    tokenizer = qwen_tokenizer(extra_special_tokens={"image_token": "<|IMAGE_PLACEHOLDER|>"})
    tokenizer.add_tokens(["<|IMAGE_START|>", "<|IMAGE_END|>"], special_tokens=True)
    ids = tokenizer.convert_tokens_to_ids
    text = qwen_text(tokenizer) | {"num_hidden_layers": 1, "max_position_embeddings": 2048}
    text["rope_parameters"] = {"rope_type": "default", "mrope_section": [2, 1, 1], "rope_theta": 10000.0}
    config = transformers.PaddleOCRVLConfig(
        text_config=text,
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 1,
            "num_attention_heads": 4,
            "image_size": 56,
            "patch_size": 14,
            "spatial_merge_size": 2,
        },
        image_token_id=ids("<|IMAGE_PLACEHOLDER|>"),
        vision_start_token_id=ids("<|IMAGE_START|>"),
        vision_end_token_id=ids("<|IMAGE_END|>"),
    )
    model = transformers.PaddleOCRVLForConditionalGeneration(config)
    model.generation_config.eos_token_id = model.generation_config.pad_token_id = ids("<|endoftext|>")
    pictures = transformers.PaddleOCRVLImageProcessor(size={"shortest_edge": 28**2, "longest_edge": 112**2})
    talk = (
        "{% for m in messages %}{% for c in m['content'] %}{% if c['type'] == 'image' %}"
        "<|IMAGE_START|><|IMAGE_PLACEHOLDER|><|IMAGE_END|>{% else %}{{ c['text'] }}{% endif %}{% endfor %}{% endfor %}"
    )
    return save(folder, model, transformers.PaddleOCRVLProcessor(pictures, tokenizer, chat_template=talk))


def pp_formulanet(folder: Path) -> Path:
    vocabulary, merges = byte_pairs(["<s>", "<pad>", "</s>", "<unk>"])
    tokenizer = transformers.BartTokenizer(vocab=vocabulary, merges=merges)
    config = transformers.PPFormulaNetConfig(
        vision_config={
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 64,
            "patch_size": 16,
            "output_channels": 32,
            "window_size": 2,
            "global_attn_indexes": [1],
            "mlp_dim": 64,
            "post_conv_in_channels": 32,
            "post_conv_mid_channels": 32,
            "post_conv_out_channels": 32,
            "decoder_hidden_size": 32,
        },
        text_config={
            "vocab_size": len(tokenizer),
            "d_model": 32,
            "decoder_layers": 1,
            "decoder_attention_heads": 2,
            "decoder_ffn_dim": 64,
            "max_position_embeddings": 64,
            "bos_token_id": 0,
            "pad_token_id": 1,
            "eos_token_id": 2,
            "decoder_start_token_id": 2,
            "forced_eos_token_id": 2,
            "encoder_hidden_size": 32,
        },
    )
    pictures = transformers.PPFormulaNetImageProcessor(size={"height": 64, "width": 64})
    model = transformers.PPFormulaNetForConditionalGeneration(config)
    return save(folder, model, transformers.PPFormulaNetProcessor(pictures, tokenizer))


def clip(folder: Path) -> Path:
    tokenizer = clip_tokenizer(16)
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.CLIPConfig(
        text_config={**size, "max_position_embeddings": 16, **text_ids(tokenizer)},
        vision_config={**size, "image_size": 64, "patch_size": 16},
        projection_dim=24,
    )
    square = {"height": 64, "width": 64}
    pictures = transformers.CLIPImageProcessor(size={"shortest_edge": 64}, crop_size=square)
    return save(folder, transformers.CLIPModel(config), transformers.CLIPProcessor(pictures, tokenizer))


def whisper(folder: Path) -> Path:
    languages = ("en", "zh", "de", "fr")
    named = ("translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps")
    special = ["<|startoftranscript|>", *(f"<|{name}|>" for name in (*languages, *named))]
    vocabulary, merges = byte_pairs()
    tokenizer = transformers.WhisperTokenizer(vocab=vocabulary, merges=merges, unk_token="<|endoftext|>")
    tokenizer.add_special_tokens({"additional_special_tokens": special})
    tokenizer.add_tokens([f"<|{step * 0.02:.2f}|>" for step in range(1501)])
    ids = tokenizer.convert_tokens_to_ids
    end, start = ids("<|endoftext|>"), ids("<|startoftranscript|>")
    shared = {"bos_token_id": end, "eos_token_id": end, "pad_token_id": end, "decoder_start_token_id": start}
    shared |= {"suppress_tokens": [], "begin_suppress_tokens": []}
    model = transformers.WhisperForConditionalGeneration(
        transformers.WhisperConfig(
            vocab_size=len(tokenizer),
            d_model=32,
            encoder_layers=2,
            decoder_layers=2,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=64,
            decoder_ffn_dim=64,
            num_mel_bins=80,
            max_source_positions=1500,
            max_target_positions=448,
            **shared,
        )
    )
    model.generation_config = transformers.GenerationConfig(
        **shared,
        is_multilingual=True,
        lang_to_id={f"<|{language}|>": ids(f"<|{language}|>") for language in languages},
        task_to_id={task: ids(f"<|{task}|>") for task in ("translate", "transcribe")},
        no_timestamps_token_id=ids("<|notimestamps|>"),
        prev_sot_token_id=ids("<|startofprev|>"),
        max_length=32,
        alignment_heads=[[1, 0], [1, 1]],
        return_timestamps=False,
    )
    sounds = transformers.WhisperFeatureExtractor(feature_size=80)
    return save(folder, model, transformers.WhisperProcessor(sounds, tokenizer))


def vits(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    letters = ["_", *" abcdefghijklmnopqrstuvwxyz0123456789'-.,?!", "<unk>"]
    (folder / "vocab.json").write_text(json.dumps({letter: index for index, letter in enumerate(letters)}))
    tokenizer = transformers.VitsTokenizer(
        str(folder / "vocab.json"),
        language="eng",
        add_blank=True,
        normalize=True,
        phonemize=False,
        is_uroman=False,
        pad_token="_",
        unk_token="<unk>",
    )
    config = transformers.VitsConfig(
        vocab_size=len(letters),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        ffn_dim=32,
        flow_size=16,
        spectrogram_bins=9,
        upsample_initial_channel=16,
        upsample_rates=[8, 8],
        upsample_kernel_sizes=[16, 16],
        resblock_kernel_sizes=[3],
        resblock_dilation_sizes=[[1, 3]],
        posterior_encoder_num_wavenet_layers=1,
        prior_encoder_num_flows=2,
        prior_encoder_num_wavenet_layers=1,
        duration_predictor_num_flows=2,
        depth_separable_num_layers=1,
        duration_predictor_filter_channels=16,
        sampling_rate=16000,
    )
    return save(folder, transformers.VitsModel(config), tokenizer)


def t5_tokenizer() -> Any:
    """A tokenizer of T5: letters, and letters that begin a word."""
    letters = [*_LETTERS, *".,!?-'"]
    begun = [f"\u2581{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("\u2581", -2.0)]
    pieces += [(letter, -3.0) for letter in letters] + [(letter, -3.5) for letter in begun]
    return transformers.T5Tokenizer(vocab=pieces, extra_ids=0)


def musicgen(folder: Path) -> Path:
    tokenizer = t5_tokenizer()
    text = transformers.T5Config(
        vocab_size=len(tokenizer), d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4,
        decoder_start_token_id=0, pad_token_id=0,
    )  # fmt: skip
    codec = transformers.EncodecConfig(
        sampling_rate=32000,
        audio_channels=1,
        normalize=False,
        chunk_length_s=None,
        num_filters=4,
        num_residual_layers=1,
        upsampling_ratios=[8, 5, 4, 4],
        hidden_size=16,
        codebook_size=64,
        codebook_dim=16,
        target_bandwidths=[4 * 6 * 50 / 1000],
        num_lstm_layers=1,
    )
    decoder = transformers.MusicgenDecoderConfig(
        vocab_size=64, hidden_size=32, num_hidden_layers=1, ffn_dim=64, num_attention_heads=2, num_codebooks=4,
        max_position_embeddings=512, bos_token_id=64, pad_token_id=64, audio_channels=1,
    )  # fmt: skip
    config = transformers.MusicgenConfig(
        text_encoder=text.to_dict(), audio_encoder=codec.to_dict(), decoder=decoder.to_dict()
    )
    model = transformers.MusicgenForConditionalGeneration(config)
    for name in ("decoder_start_token_id", "pad_token_id", "bos_token_id"):
        setattr(model.generation_config, name, 64)
    model.generation_config.do_sample, model.generation_config.guidance_scale = True, 3.0
    sounds = transformers.EncodecFeatureExtractor(feature_size=1, sampling_rate=32000)
    return save(folder, model, transformers.MusicgenProcessor(sounds, tokenizer))


_CODER = {
    "in_channels": 3,
    "out_channels": 3,
    "down_block_types": ("DownEncoderBlock2D",) * 2,
    "up_block_types": ("UpDecoderBlock2D",) * 2,
}


def stable_diffusion(folder: Path) -> Path:
    import diffusers

    tokenizer = clip_tokenizer(77)
    text = transformers.CLIPTextModel(
        transformers.CLIPTextConfig(
            hidden_size=32, intermediate_size=37, num_hidden_layers=2, num_attention_heads=4, projection_dim=32,
            **text_ids(tokenizer),
        )
    )  # fmt: skip
    unet = diffusers.UNet2DConditionModel(
        block_out_channels=(8, 16),
        norm_num_groups=4,
        layers_per_block=1,
        sample_size=8,
        in_channels=4,
        out_channels=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=32,
        attention_head_dim=2,
    )
    coder = diffusers.AutoencoderKL(**_CODER, block_out_channels=(8, 16), latent_channels=4, norm_num_groups=4)
    pipeline = diffusers.StableDiffusionPipeline(
        vae=coder,
        text_encoder=text,
        tokenizer=tokenizer,
        unet=unet,
        scheduler=diffusers.DDIMScheduler(),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    return save(folder, pipeline)


def flux2_klein(folder: Path) -> Path:
    import diffusers

    tokenizer = qwen_tokenizer()
    text = transformers.Qwen3ForCausalLM(
        transformers.Qwen3Config(
            vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=28,
            num_attention_heads=2, num_key_value_heads=1, head_dim=8, max_position_embeddings=1024,
        )
    )  # fmt: skip
    transformer = diffusers.Flux2Transformer2DModel(
        patch_size=1,
        in_channels=16,
        num_layers=1,
        num_single_layers=1,
        attention_head_dim=16,
        num_attention_heads=2,
        joint_attention_dim=48,
        timestep_guidance_channels=16,
        axes_dims_rope=[4, 4, 4, 4],
        guidance_embeds=False,
    )
    coder = diffusers.AutoencoderKLFlux2(
        **_CODER,
        block_out_channels=(8, 8),
        layers_per_block=1,
        latent_channels=4,
        norm_num_groups=1,
        sample_size=32,
        use_quant_conv=False,
        use_post_quant_conv=False,
        patch_size=(2, 2),
    )
    scheduler = diffusers.FlowMatchEulerDiscreteScheduler(use_dynamic_shifting=True)
    pipeline = diffusers.Flux2KleinPipeline(
        scheduler=scheduler, vae=coder, text_encoder=text, tokenizer=tokenizer, transformer=transformer,
        is_distilled=True,
    )  # fmt: skip
    return save(folder, pipeline)


def wan(folder: Path) -> Path:
    import diffusers

    tokenizer = t5_tokenizer()
    text = transformers.UMT5EncoderModel(
        transformers.UMT5Config(vocab_size=len(tokenizer), d_model=32, d_kv=8, d_ff=32, num_layers=1, num_heads=4)
    )
    coder = diffusers.AutoencoderKLWan(
        base_dim=3, z_dim=16, dim_mult=[1, 1, 1, 1], num_res_blocks=1, temperal_downsample=[False, True, True]
    )
    transformer = diffusers.WanTransformer3DModel(
        patch_size=(1, 2, 2),
        num_attention_heads=2,
        attention_head_dim=12,
        in_channels=16,
        out_channels=16,
        text_dim=32,
        freq_dim=64,
        ffn_dim=32,
        num_layers=2,
        cross_attn_norm=True,
        qk_norm="rms_norm_across_heads",
        rope_max_seq_len=32,
    )
    scheduler = diffusers.FlowMatchEulerDiscreteScheduler(shift=7.0)
    pipeline = diffusers.WanPipeline(
        tokenizer=tokenizer, text_encoder=text, transformer=transformer, vae=coder, scheduler=scheduler
    )
    return save(folder, pipeline)


def ace_step(folder: Path) -> Path:
    import diffusers
    from diffusers.pipelines.ace_step.modeling_ace_step import AceStepConditionEncoder

    tokenizer = qwen_tokenizer()
    size = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
    }
    text = transformers.Qwen3Model(
        transformers.Qwen3Config(vocab_size=len(tokenizer), num_hidden_layers=2, max_position_embeddings=1024, **size)
    )
    transformer = diffusers.AceStepTransformer1DModel(
        **size, num_hidden_layers=2, in_channels=24, audio_acoustic_hidden_dim=8, patch_size=2, sliding_window=16,
        is_turbo=True,
    )  # fmt: skip
    conditions = AceStepConditionEncoder(
        **size, text_hidden_dim=32, timbre_hidden_dim=8, num_lyric_encoder_hidden_layers=1,
        num_timbre_encoder_hidden_layers=1, sliding_window=16,
    )  # fmt: skip
    coder = diffusers.AutoencoderOobleck(
        encoder_hidden_size=8,
        downsampling_ratios=[2, 4, 4],
        channel_multiples=[1, 2, 4],
        decoder_channels=8,
        decoder_input_channels=8,
        audio_channels=2,
        sampling_rate=800,
    )
    pipeline = diffusers.AceStepPipeline(
        vae=coder,
        text_encoder=text,
        tokenizer=tokenizer,
        transformer=transformer,
        condition_encoder=conditions,
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(),
    )
    return save(folder, pipeline)


_BUILDERS = (
    *(grounding_dino, mm_grounding_dino, owlv2, sam2, sam3, qwen3_vl, paddleocr_vl, pp_formulanet, clip, whisper),
    *(vits, musicgen, stable_diffusion, flux2_klein, wan, ace_step),
)
BUILDERS: Mapping[str, Callable[[Path], Path]] = {builder.__name__: builder for builder in _BUILDERS}


def build(name: str, folder: Path) -> Path:
    """A tiny checkpoint in a directory, always with the same weights."""
    torch.manual_seed(0)
    return BUILDERS[name](folder)
