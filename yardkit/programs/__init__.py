"""Running other programs.

- `jail`: what a program of ours sees of the machine; `code_jail`: the stricter walls around code that an agent wrote.
- `worker`: a program that works for this process, watched, with limits and devices as arguments; `keeper`: one worker
  of a kind, shared by all who ask.
- `bounded`: a function called in a process of its own, from a helper (`forker`) that keeps its libraries loaded;
  `fork`: the same in a fork of this process; `pool`: many items over several processes.
- `command`: a program run to its end; `reaper`: with all that it started; `doors`: all that it reaches by network.
- `runner`: an agent's Python code, in a `scratch` tree of its own.
- `temporary`: a folder for all that is temporary, gone with the process.
"""
