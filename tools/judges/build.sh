#!/usr/bin/env bash
# Builds the programs that judge ours from Go modules: ./build.sh [program...]; without a name, those of Kubernetes.
# The GitOps tools, the Secrets Store CSI driver, the registry and cosign are modules of their own below: Argo CD's library
# and the driver do not compile with the newest Kubernetes.
# Prints the directory they lie in, which suits KUBEBUILDER_ASSETS. Needs Go 1.26 or newer and the Go module proxy.
# Two idle cores take seven minutes for kube-apiserver the first time; Go's cache makes the next build a matter of seconds.
# AZIMUTH_JUDGES moves the directory (default: ~/.cache/azimuth-judges).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
target=${AZIMUTH_JUDGES:-$HOME/.cache/azimuth-judges}

fail() {
  echo "The judges cannot be built: $*" >&2
  exit 1
}
command -v go >/dev/null || fail 'there is no Go on the PATH; install Go 1.26 or newer'
needed=$(awk '$1 == "go" { print $2 }' go.mod)
found=$(GOTOOLCHAIN=local go env GOVERSION | sed 's/^go//')
[ "$(printf '%s\n%s\n' "$needed" "$found" | sort -V | head -1)" = "$needed" ] ||
  fail "Go $needed or newer is needed, this is $found"

version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
minor=${version#v1.}
stamp=k8s.io/component-base/version
flags="-s -w -X $stamp.gitMajor=1 -X $stamp.gitMinor=${minor%%.*} -X $stamp.gitVersion=$version"

mkdir -p "$target"
# One build at a time: a program that another one builds too is made once.
exec 9>"$target/lock"
flock 9
gitops='helm kustomize kubeconform gitops'
all='etcd kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy pulumi'
flags="$flags -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=$(go list -m -f '{{.Version}}' github.com/pulumi/pulumi/pkg/v3)"
for program in "${@:-$all}"; do
  for name in $program; do
    if [ "$name" = pulumi-resource-kubernetes ]; then
      ./pulumi-kubernetes.sh "$target/$name" >&2
      continue
    fi
    case $name in
      etcd) package=go.etcd.io/etcd/server/v3 ;;
      kube-apiserver | kube-controller-manager | kube-scheduler | kubelet | kube-proxy) package=k8s.io/kubernetes/cmd/$name ;;
      pulumi) package=github.com/pulumi/pulumi/pkg/v3/cmd/pulumi ;;
      helm) package=helm.sh/helm/v4/cmd/helm ;;
      kustomize) package=sigs.k8s.io/kustomize/kustomize/v5 ;;
      kubeconform) package=github.com/yannh/kubeconform/cmd/kubeconform ;;
      gitops) package=. ;;
      registry) package=github.com/distribution/distribution/v3/cmd/registry ;;
      cosign) package=github.com/sigstore/cosign/v3/cmd/cosign ;;
      csi-driver) package=sigs.k8s.io/secrets-store-csi-driver/cmd/secrets-store-csi-driver ;;
      *) fail "$name is none of $all $gitops csi-driver registry cosign pulumi-resource-kubernetes" ;;
    esac
    module=. own=$flags
    case " $gitops " in *" $name "*) module=gitops own='-s -w' ;; esac
    case $name in
      csi-driver) module=csi own='-s -w' ;;
      registry | cosign) module=$name own='-s -w' ;;
    esac
    (cd "$module" && go build -mod=readonly -trimpath -ldflags "$own" -o "$target/$name" "$package") >&2
  done
done
echo "$target"
