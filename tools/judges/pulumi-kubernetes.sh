#!/usr/bin/env bash
# Builds Pulumi's Kubernetes provider: ./pulumi-kubernetes.sh PROGRAM. Its module replaces the module of the SDK by a
# folder that it does not contain, and lacks two files that its own generate step makes of others; both need a copy.
set -euo pipefail
module=github.com/pulumi/pulumi-kubernetes/provider/v4
version=v4.0.0-20260115033456-f47bc2d6f199
sdk=github.com/pulumi/pulumi-kubernetes/sdk/v4@v4.24.1
# The version that the provider reports.
release=4.24.1

read -r program source < <(
  go mod download -json "$module@$version" | awk -v program="$1" -F'"' '$2 == "Dir" { print program, $4 }'
)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "$source/." "$copy"
chmod -R u+w "$copy"
cd "$copy"
go mod edit -dropreplace "${sdk%@*}" -require "$sdk"
cd cmd/pulumi-resource-kubernetes
export GOFLAGS=-mod=mod
VERSION=$release go run generate.go
go build -trimpath -ldflags "-s -w -X $module/pkg/version.Version=$release" -o "$program" .
