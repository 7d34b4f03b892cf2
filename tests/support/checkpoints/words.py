"""The words of tiny checkpoints: tokenizers learnt from three lines, and the size of a small language model."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

_LINES = (
    "a photo of a red circle and a blue square on the table",
    "the quick brown fox jumps over the lazy dog 0123456789",
    "what is in the image? detect text, formula: \\frac{a}{b} + x^2 = \\sum_{i=1}^{n}",
)


_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def save_checkpoint(folder: Path, *things: Any) -> Path:
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


_QWEN_TOKENS = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>"),
    *("<|video_pad|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>"),
)


QWEN_TALK = (
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
    tokenizer.chat_template, tokenizer.model_max_length = QWEN_TALK, 4096
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


def t5_tokenizer() -> Any:
    """A tokenizer of T5: letters, and letters that begin a word."""
    letters = [*_LETTERS, *".,!?-'"]
    begun = [f"\u2581{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("\u2581", -2.0)]
    pieces += [(letter, -3.0) for letter in letters] + [(letter, -3.5) for letter in begun]
    return transformers.T5Tokenizer(vocab=pieces, extra_ids=0)
