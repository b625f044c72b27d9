package testbed

import "syscall"

// dieWithUs ends the program when this process ends, however it does.
func dieWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
