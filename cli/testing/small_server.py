"""A small server for assay to judge, written from the specifications without assay's model.

usage: python3 small_server.py executions|routing|runs|lifecycle|neops|run-contract [FAULT]

Without a fault it keeps what the profile `small` declares, and the last two what the built-in profiles of their names do.
With one it breaks one clause and no other.
"""

import sys

from small_executions import Executions
from small_http import serve
from small_lifecycle import Lifecycle
from small_neops import Neops
from small_routing import Routing
from small_run_contract import RunContract
from small_runs import Runs

SERVERS = {"executions": Executions, "routing": Routing, "runs": Runs, "lifecycle": Lifecycle, "neops": Neops,
           "run-contract": RunContract}

if __name__ == "__main__":
    serve(SERVERS[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else None))
