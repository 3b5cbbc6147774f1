// Command gitops runs the libraries of Argo CD and of Flux on manifests and objects, for tests. Objects come as YAML on
// standard input, results go as JSON to standard output.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
)

// result is the state of one object in the words of the tool.
type result struct {
	Object  string `json:"object"`
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

const usage = `usage:
  gitops argo-health CONFIGMAP              health of the objects under Argo CD's ConfigMap
  gitops argo-sync CONFIGMAP [NAMESPACE]    syncs the objects with pruning, in the cluster of KUBECONFIG
  gitops flux-health FLUX                   health of the objects under the expressions of a Kustomization
  gitops flux-order FLUX                    the Kustomizations, and those that each one waits for
  gitops flux-apply FLUX                    applies the objects in stages and waits, in the cluster of KUBECONFIG
  gitops kstatus                            state of the objects in kstatus, without expressions`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gitops:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 || (len(args) < 2 && args[0] != "kstatus") {
		return fmt.Errorf("%s", usage)
	}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	objects, err := kube.SplitYAML(input)
	if err != nil {
		return err
	}
	ctx := context.Background()
	var results []result
	switch args[0] {
	case "argo-health":
		results, err = argoHealth(ctx, args[1], objects)
	case "argo-sync":
		results, err = argoSync(ctx, args[1], objects)
	case "flux-health":
		results, err = fluxHealth(ctx, args[1], objects)
	case "flux-order":
		results, err = fluxOrder(args[1])
	case "flux-apply":
		results, err = fluxApply(ctx, args[1], objects)
	case "kstatus":
		results, err = kstatus(objects)
	default:
		return fmt.Errorf("%s", usage)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(results)
}

func nameOf(object *unstructured.Unstructured) string {
	return fmt.Sprintf("%s/%s", object.GetKind(), object.GetName())
}

func readObjects(file string) ([]*unstructured.Unstructured, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return kube.SplitYAML(text)
}

func restConfig() (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 200, 400
	return config, nil
}
