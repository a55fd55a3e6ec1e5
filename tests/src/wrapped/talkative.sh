#!/bin/sh
# Logs everything into the file `log`.
folder=$(dirname "$0")
RUST_LOG=trace exec "$folder/binary" "$@" 2>>"$folder/log"
