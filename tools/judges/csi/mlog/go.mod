module monis.app/mlog

go 1.26.0

require (
	github.com/go-logr/logr v1.4.1 // indirect
	k8s.io/klog/v2 v2.130.1 // indirect
)
