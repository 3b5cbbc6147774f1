#!/bin/sh
# Starts the current program that this file is linked as, with the flags that scripts for Kubernetes 1.20 give it: those
# that are gone since are left out. A kubelet also gets leave to run on cgroups of version 1, where the machine has those.
name=$(basename "$0")
for flag; do
  shift
  case $flag in
    --port=0 | --container-runtime=remote) ;;
    *) set -- "$@" "$flag" ;;
  esac
done
if [ "$name" = kubelet ] && [ ! -e /sys/fs/cgroup/cgroup.controllers ]; then set -- "$@" --fail-cgroupv1=false; fi
exec "$(dirname "$0")/../$name" "$@"
