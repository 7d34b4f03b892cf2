"""Tiny checkpoints of speech and music."""

import json
from pathlib import Path

import transformers

from support.checkpoints.words import byte_pairs, save_checkpoint, t5_tokenizer


def build_whisper(folder: Path) -> Path:
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
    return save_checkpoint(folder, model, transformers.WhisperProcessor(sounds, tokenizer))


def build_vits(folder: Path) -> Path:
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
    return save_checkpoint(folder, transformers.VitsModel(config), tokenizer)


def build_musicgen(folder: Path) -> Path:
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
    return save_checkpoint(folder, model, transformers.MusicgenProcessor(sounds, tokenizer))
