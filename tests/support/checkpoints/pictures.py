"""Tiny checkpoints that look at pictures: things, masks, embeddings."""

from pathlib import Path
from typing import Any

import transformers

from support.checkpoints.words import clip_tokenizer, save_checkpoint, text_ids, word_pieces

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
    return _build_phrase_model(folder, transformers.GroundingDinoConfig, transformers.GroundingDinoForObjectDetection)


def mm_grounding_dino(folder: Path) -> Path:
    return _build_phrase_model(
        folder, transformers.MMGroundingDinoConfig, transformers.MMGroundingDinoForObjectDetection
    )


def _build_phrase_model(folder: Path, config: Any, model: Any) -> Path:
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
    detector = model(config(backbone_config=backbone, text_config=text, **_TWO_LAYERS))
    return save_checkpoint(folder, detector, transformers.GroundingDinoProcessor(pictures, tokenizer))


def build_owlv2(folder: Path) -> Path:
    tokenizer = clip_tokenizer(16)
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.Owlv2Config(
        text_config={**size, "max_position_embeddings": 16, **text_ids(tokenizer)},
        vision_config={**size, "image_size": 64, "patch_size": 16},
        projection_dim=32,
    )
    pictures = transformers.Owlv2ImageProcessor(size={"height": 64, "width": 64})
    model = transformers.Owlv2ForObjectDetection(config)
    return save_checkpoint(folder, model, transformers.Owlv2Processor(pictures, tokenizer))


def build_sam2(folder: Path) -> Path:
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
    return save_checkpoint(folder, transformers.Sam2Model(config), transformers.Sam2Processor(pictures, target_size=64))


def build_sam3(folder: Path) -> Path:
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
    return save_checkpoint(folder, transformers.Sam3Model(config), processor)


def build_clip(folder: Path) -> Path:
    tokenizer = clip_tokenizer(16)
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.CLIPConfig(
        text_config={**size, "max_position_embeddings": 16, **text_ids(tokenizer)},
        vision_config={**size, "image_size": 64, "patch_size": 16},
        projection_dim=24,
    )
    square = {"height": 64, "width": 64}
    pictures = transformers.CLIPImageProcessor(size={"shortest_edge": 64}, crop_size=square)
    return save_checkpoint(folder, transformers.CLIPModel(config), transformers.CLIPProcessor(pictures, tokenizer))
