"""ABC notation 2.1 (abcnotation.com/wiki/abc:standard:v2.1), the part of it that tunes are written in.

Own code: verovio reads ABC, but drops the length of a chord and the tempo, and music21 the words and `%%MIDI`; neither
says in which line a fault stands.
"""
