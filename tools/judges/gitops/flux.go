package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/yaml"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/clusterreader"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"github.com/fluxcd/pkg/ssa"
	"k8s.io/client-go/rest"
)

// kustomizations reads the Kustomizations of a file, which may have no member that Flux does not know.
func kustomizations(file string) ([]kustomizev1.Kustomization, error) {
	objects, err := readObjects(file)
	if err != nil {
		return nil, err
	}
	all := make([]kustomizev1.Kustomization, len(objects))
	for i, object := range objects {
		text, err := yaml.Marshal(object.Object)
		if err != nil {
			return nil, err
		}
		if err := yaml.UnmarshalStrict(text, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// fluxOrder reports each Kustomization with those that it waits for.
func fluxOrder(file string) ([]result, error) {
	all, err := kustomizations(file)
	if err != nil {
		return nil, err
	}
	results := []result{}
	for _, each := range all {
		found := result{Object: "Kustomization/" + each.Name, Status: "applied", Message: each.Spec.Path}
		if each.Spec.Wait {
			found.Status = "ready"
		}
		for _, dependency := range each.GetDependsOn() {
			found.Message += " after " + dependency.Name
		}
		results = append(results, found)
	}
	return results, nil
}

// healthChecks reads the expressions of all Kustomizations of a file.
func healthChecks(file string) ([]kustomize.CustomHealthCheck, error) {
	all, err := kustomizations(file)
	if err != nil {
		return nil, err
	}
	var checks []kustomize.CustomHealthCheck
	for _, each := range all {
		checks = append(checks, each.Spec.HealthCheckExprs...)
	}
	return checks, nil
}

func fluxHealth(ctx context.Context, file string, objects []*unstructured.Unstructured) ([]result, error) {
	checks, err := healthChecks(file)
	if err != nil {
		return nil, err
	}
	results := []result{}
	for _, object := range objects {
		found := result{Object: nameOf(object), Status: "None"}
		for _, check := range checks {
			if check.Kind != object.GetKind() || check.APIVersion != object.GetAPIVersion() {
				continue
			}
			evaluator, err := cel.NewStatusEvaluator(&check.HealthCheckExpressions)
			if err != nil {
				return nil, err
			}
			evaluated, err := evaluator.Evaluate(ctx, object)
			if err != nil {
				// As Flux's poller: an object whose expression has no value is not ready, and it asks again.
				found.Status, found.Message = string(status.UnknownStatus), err.Error()
			} else {
				found.Status, found.Message = string(evaluated.Status), evaluated.Message
			}
		}
		results = append(results, found)
	}
	return results, nil
}

func fluxApply(ctx context.Context, file string, objects []*unstructured.Unstructured) ([]result, error) {
	checks, err := healthChecks(file)
	if err != nil {
		return nil, err
	}
	config, err := restConfig()
	if err != nil {
		return nil, err
	}
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, http)
	if err != nil {
		return nil, err
	}
	cluster, err := client.New(config, client.Options{Mapper: mapper})
	if err != nil {
		return nil, err
	}
	options := polling.Options{ClusterReaderFactory: engine.ClusterReaderFactoryFunc(clusterreader.NewDirectClusterReader)}
	if len(checks) > 0 {
		reader, err := cel.NewStatusReader(checks)
		if err != nil {
			return nil, err
		}
		options.CustomStatusReaders = []engine.StatusReader{reader(mapper)}
	}
	manager := ssa.NewResourceManager(cluster, polling.NewStatusPoller(cluster, mapper, options), ssa.Owner{
		Field: "kustomize-controller", Group: "kustomize.toolkit.fluxcd.io",
	})
	applied, err := manager.ApplyAllStaged(ctx, objects, ssa.DefaultApplyOptions())
	if err != nil {
		return nil, err
	}
	wait := ssa.DefaultWaitOptions()
	wait.Timeout, wait.FailFast = 2*time.Minute, true
	if err := manager.WaitForSet(applied.ToObjMetadataSet(), wait); err != nil {
		return nil, fmt.Errorf("wait: %w", err)
	}
	results := []result{}
	for _, entry := range applied.Entries {
		results = append(results, result{Object: fmt.Sprintf("%s/%s", entry.ObjMetadata.GroupKind.Kind, entry.ObjMetadata.Name), Status: string(entry.Action)})
	}
	return results, nil
}

func kstatus(objects []*unstructured.Unstructured) ([]result, error) {
	results := []result{}
	for _, object := range objects {
		found, err := status.Compute(object)
		if err != nil {
			return nil, err
		}
		results = append(results, result{Object: nameOf(object), Status: string(found.Status), Message: found.Message})
	}
	return results, nil
}
