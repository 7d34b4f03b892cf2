"""Tiny checkpoints that say in words what a picture shows."""

from pathlib import Path

import transformers

from support.checkpoints.words import QWEN_TALK, byte_pairs, qwen_text, qwen_tokenizer, save_checkpoint


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
    processor = transformers.Qwen3VLProcessor(pictures, tokenizer, videos, chat_template=QWEN_TALK)
    return save_checkpoint(folder, model, processor)


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
    return save_checkpoint(folder, model, transformers.PaddleOCRVLProcessor(pictures, tokenizer, chat_template=talk))


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
    return save_checkpoint(folder, model, transformers.PPFormulaNetProcessor(pictures, tokenizer))
