#!/bin/bash
# Stops what start.sh (and start-node.sh) started, by the process ids they wrote.
# KUBE_RUN: as for start.sh.   --wipe: also forget the state (etcd data, certificates).
HERE=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
BIN=${KUBE_BIN:-${XDG_CACHE_HOME:-$HOME/.cache}/azimuth-kube/bin}
RUN=${KUBE_RUN:-${XDG_CACHE_HOME:-$HOME/.cache}/azimuth-kube/run}
"$HERE/stop-node.sh"
for n in kube-proxy kubelet kube-scheduler kube-controller-manager kube-apiserver etcd containerd; do
  f=$RUN/pid/$n; [ -s "$f" ] || continue
  p=$(cat "$f")
  # only if that pid is still the program that we started
  if [ "$(cat /proc/$p/comm 2>/dev/null)" = "${n:0:15}" ]; then
    kill "$p"
    for ((i = 0; i < 150; i++)); do kill -0 "$p" 2>/dev/null || break; sleep .1; done
    kill -0 "$p" 2>/dev/null && kill -9 "$p"
  fi
  rm -f "$f"
done
if [ -s "$RUN/env" ]; then . "$RUN/env"; [ "$KUBE_ADDR" = 127.0.0.1 ] || ip addr del "$KUBE_ADDR/32" dev lo 2>/dev/null; fi
if [ "${1:-}" = --wipe ]; then rm -rf "$RUN"; fi
exit 0
