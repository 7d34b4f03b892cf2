"""Tiny checkpoints of pipelines that draw, film and compose."""

from pathlib import Path

import diffusers
import transformers

from support.checkpoints.words import clip_tokenizer, qwen_tokenizer, save_checkpoint, t5_tokenizer, text_ids

_CODER = {
    "in_channels": 3,
    "out_channels": 3,
    "down_block_types": ("DownEncoderBlock2D",) * 2,
    "up_block_types": ("UpDecoderBlock2D",) * 2,
}


def stable_diffusion(folder: Path) -> Path:
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
    return save_checkpoint(folder, pipeline)


def flux2_klein(folder: Path) -> Path:
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
    return save_checkpoint(folder, pipeline)


def build_wan(folder: Path) -> Path:
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
    return save_checkpoint(folder, pipeline)


def ace_step(folder: Path) -> Path:
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
    return save_checkpoint(folder, pipeline)
