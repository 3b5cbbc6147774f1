// Package mlog stands for the logging package of the Secrets Store CSI driver, which the Go module proxy refuses. It
// has the functions that the driver calls, and writes plain lines.
package mlog

import (
	"context"
	"fmt"
	"os"

	"k8s.io/klog/v2"
)

type Format string

const (
	FormatText Format = "text"
	FormatJSON Format = "json"
)

func Setup() func() { return klog.Flush }

func ValidateAndSetKlogLevelAndFormatGlobally(context.Context, klog.Level, Format) error { return nil }

func Always(msg string, keysAndValues ...any) { klog.InfoS(msg, keysAndValues...) }

func Error(msg string, err error, keysAndValues ...any) { klog.ErrorS(err, msg, keysAndValues...) }

func Fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
