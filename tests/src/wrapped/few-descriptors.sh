#!/bin/sh
# With no more files and sockets than many systems allow.
ulimit -n 1024
exec "$(dirname "$0")/binary" "$@"
