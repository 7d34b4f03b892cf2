"""Running other programs.

- `jail`: the sandbox of our own programs; `code_jail`: the stricter sandbox of an agent's code.
- `worker`: a watched program that works for this process, with limits and devices as arguments; `keeper`: a pool of one
  worker of a kind, shared by all callers.
- `bounded`: a function called in a separate process, forked from a helper (`forker`) that keeps its libraries loaded;
  `fork`: the same in a fork of this process; `pool`: many items over several processes.
- `command`: a program run to its end; `reaper`: including all that it started; `socket_proxies`: its only network.
- `runner`: an agent's Python code, in a separate `scratch` tree.
- `temporary`: a folder for temporary files, deleted with the process.
"""
