"""English text as the phonemes that Kokoro and related models were trained on: text -> words -> phonemes.

The dictionaries, the weights of the tagger and the network for unknown words are data of the package hibari-tts. The
rules are those used for the training text: misaki 0.9.4 (Apache-2.0), in a smaller form of our own.
"""
