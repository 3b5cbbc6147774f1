package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/yaml"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/argo-cd/v3/util/settings"
)

// The mark of the objects that a sync manages, so that the next one prunes those that it lacks.
const managedMark = "judges.azimuth.dev/managed"

// overrides reads the customizations as Argo CD does.
func overrides(ctx context.Context, file string) (lua.ResourceHealthOverrides, error) {
	objects, err := readObjects(file)
	if err != nil {
		return nil, err
	}
	text, err := yaml.Marshal(objects[0].Object)
	if err != nil {
		return nil, err
	}
	var config corev1.ConfigMap
	if err := yaml.Unmarshal(text, &config); err != nil {
		return nil, err
	}
	config.Labels = map[string]string{"app.kubernetes.io/part-of": "argocd"}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Name: "argocd-secret", Namespace: config.Namespace, Labels: config.Labels,
	}}
	manager := settings.NewSettingsManager(ctx, fake.NewClientset(&config, secret), config.Namespace)
	return manager.GetResourceOverrides()
}

func argoHealth(ctx context.Context, file string, objects []*unstructured.Unstructured) ([]result, error) {
	checks, err := overrides(ctx, file)
	if err != nil {
		return nil, err
	}
	results := []result{}
	for _, object := range objects {
		found, err := health.GetResourceHealth(object, checks)
		if err != nil {
			return nil, err
		}
		if found == nil {
			results = append(results, result{Object: nameOf(object), Status: "None"})
			continue
		}
		results = append(results, result{Object: nameOf(object), Status: string(found.Status), Message: found.Message})
	}
	return results, nil
}

func argoSync(ctx context.Context, file string, objects []*unstructured.Unstructured) ([]result, error) {
	checks, err := overrides(ctx, file)
	if err != nil {
		return nil, err
	}
	config, err := restConfig()
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		annotations := object.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[managedMark] = "true"
		object.SetAnnotations(annotations)
	}
	clusterCache := cache.NewClusterCache(config, cache.SetPopulateResourceInfoHandler(
		func(object *unstructured.Unstructured, _ bool) (any, bool) {
			managed := object.GetAnnotations()[managedMark] != ""
			return managed, managed
		}))
	if err := clusterCache.EnsureSynced(); err != nil {
		return nil, err
	}
	defer clusterCache.Invalidate()
	isManaged := func(found *cache.Resource) bool { managed, _ := found.Info.(bool); return managed }
	kubectl := &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	started, deadline := metav1.Now(), time.Now().Add(5*time.Minute)
	phase, message, synced := common.OperationRunning, "", []common.ResourceSyncResult{}
	// As Argo CD's controller: each step reads the live objects again and goes on from the results of the step before.
	for !phase.Completed() {
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("sync: still %s after 5 minutes: %s: %v", phase, message, synced)
		}
		live, err := clusterCache.GetManagedLiveObjs(objects, isManaged)
		if err != nil {
			return nil, err
		}
		plan := sync.Reconcile(objects, live, "default", clusterCache)
		step, cleanup, err := sync.NewSyncContext("test", plan, config, config, kubectl, "default",
			sync.WithPrune(true), sync.WithHealthOverride(checks), sync.WithServerSideApply(true),
			sync.WithServerSideApplyManager("argocd-controller"), sync.WithInitialState(phase, message, synced, started))
		if err != nil {
			return nil, err
		}
		step.Sync()
		phase, message, synced = step.GetState()
		cleanup()
		time.Sleep(500 * time.Millisecond)
	}
	if phase != common.OperationSucceeded {
		return nil, fmt.Errorf("sync: %s: %s: %v", phase, message, synced)
	}
	results := []result{}
	for _, each := range synced {
		object := fmt.Sprintf("%s/%s", each.ResourceKey.Kind, each.ResourceKey.Name)
		results = append(results, result{Object: object, Status: string(each.Status), Message: each.Message})
	}
	return results, nil
}
