//go:build !linux

package testbed

import "syscall"

func dieWithUs() *syscall.SysProcAttr { return nil }
