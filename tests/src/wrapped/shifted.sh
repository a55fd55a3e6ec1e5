#!/bin/sh
# With the clock of the file `time`. In the library's name the dynamic loader puts this machine's folder in the place of `$LIB`.
folder=$(dirname "$0")
export LD_PRELOAD='/usr/$LIB/faketime/libfaketimeMT.so.1' FAKETIME_TIMESTAMP_FILE="$folder/time"
export FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 TZ=UTC
exec "$folder/binary" "$@"
