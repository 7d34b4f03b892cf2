from yardkit.sandbox.episodes.episode import Episode as Episode
from yardkit.sandbox.episodes.episode import open_episode as open_episode
from yardkit.sandbox.episodes.replies import Reply as Reply
from yardkit.world import Problem as Problem
from yardkit.world import World as World
