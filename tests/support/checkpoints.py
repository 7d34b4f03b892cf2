"""Tiny checkpoints with random weights, made by the real classes and saved as the real ones are: no download.

What comes out of them means nothing; that it comes out, and in which shape, is what tests look at.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

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


BUILDERS: Mapping[str, Callable[[Path], Path]] = {
    "grounding_dino": grounding_dino,
    "mm_grounding_dino": mm_grounding_dino,
    "owlv2": owlv2,
}


def build(name: str, folder: Path) -> Path:
    """A tiny checkpoint in a directory, always with the same weights."""
    torch.manual_seed(0)
    return BUILDERS[name](folder)
