package deploy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// cluster is what `kubectl apply -k deploy/k8s` makes.
type cluster struct {
	namespace  corev1.Namespace
	volume     corev1.PersistentVolumeClaim
	config     corev1.ConfigMap
	deployment appsv1.Deployment
	service    corev1.Service
	ingress    networkingv1.Ingress
	policy     networkingv1.NetworkPolicy
}

// strict decodes a document as one of Kubernetes' own types, which has every field that stands there.
func strict(t testing.TB, doc []byte, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict(doc, into); err != nil {
		t.Fatalf("%T: %v", into, err)
	}
}

func kustomized(t testing.TB) *cluster {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(source, "deploy", "k8s"))
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{}
	kinds := map[string]any{
		"Namespace": &c.namespace, "PersistentVolumeClaim": &c.volume, "ConfigMap": &c.config, "Deployment": &c.deployment, "Service": &c.service, "Ingress": &c.ingress,
		"NetworkPolicy": &c.policy,
	}
	for _, r := range made.Resources() {
		into, known := kinds[r.GetKind()]
		if !known {
			t.Fatalf("another %s", r.GetKind())
		}
		delete(kinds, r.GetKind())
		if r.GetKind() != "Namespace" && r.GetNamespace() != "readback" {
			t.Errorf("%s is in the namespace %q", r.GetKind(), r.GetNamespace())
		}
		doc, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		strict(t, doc, into)
	}
	if len(kinds) > 0 {
		t.Fatalf("missing: %v", kinds)
	}
	return c
}

// containers gives the pod's, those that begin it too.
func containers(p *corev1.PodSpec) []corev1.Container {
	return slices.Concat(p.InitContainers, p.Containers)
}

// TestThePodIsRestricted: Kubernetes' own judge of its strictest level finds nothing, and what that level leaves open is closed.
func TestThePodIsRestricted(t *testing.T) {
	c := kustomized(t)
	if level := c.namespace.Labels[api.EnforceLevelLabel]; level != string(api.LevelRestricted) {
		t.Errorf("the namespace enforces %q", level)
	}
	judge, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pod := &c.deployment.Spec.Template
	for _, r := range judge.EvaluatePod(api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}, &pod.ObjectMeta, &pod.Spec) {
		if !r.Allowed {
			t.Errorf("%s: %s", r.ForbiddenReason, r.ForbiddenDetail)
		}
	}
	s := pod.Spec
	if s.AutomountServiceAccountToken == nil || *s.AutomountServiceAccountToken {
		t.Error("the pod has an account of the cluster's")
	}
	if user := fmt.Sprintf("%d:%d", *s.SecurityContext.RunAsUser, *s.SecurityContext.RunAsGroup); user != owner {
		t.Errorf("the pod runs as %s, the image as %s", user, owner)
	}
	for _, k := range containers(&s) {
		if k.SecurityContext.ReadOnlyRootFilesystem == nil || !*k.SecurityContext.ReadOnlyRootFilesystem || k.SecurityContext.RunAsUser != nil || k.Resources.Limits.Memory().IsZero() {
			t.Errorf("%s is open: %+v", k.Name, k.SecurityContext)
		}
		if len(k.Env) > 0 || len(k.EnvFrom) > 0 {
			t.Errorf("%s has variables", k.Name)
		}
		for _, arg := range slices.Concat(k.Command, k.Args) {
			if secretive.MatchString(arg) {
				t.Errorf("%s has the argument %q", k.Name, arg)
			}
		}
	}
}

// TestOnePodHasTheStore: serve and a worker, one user, one volume; never two pods; time for calls to end.
func TestOnePodHasTheStore(t *testing.T) {
	c := kustomized(t)
	d := c.deployment.Spec
	if *d.Replicas != 1 || d.Strategy.Type != appsv1.RecreateDeploymentStrategyType || !slices.Equal(c.volume.Spec.AccessModes, []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}) {
		t.Errorf("%d of it, by %s, on a volume that is %v", *d.Replicas, d.Strategy.Type, c.volume.Spec.AccessModes)
	}
	pod := d.Template.Spec
	if len(pod.Containers) != 2 {
		t.Fatalf("%d containers", len(pod.Containers))
	}
	serve, worker := pod.Containers[0], pod.Containers[1]
	if serve.Args[0] != "serve" || worker.Args[0] != "worker" || !slices.Equal(serve.Args[1:], worker.Args[1:]) || serve.Image != worker.Image || !reflect.DeepEqual(serve.VolumeMounts, worker.VolumeMounts) {
		t.Errorf("not of one kind: %v %v", serve.Args, worker.Args)
	}
	content := read(t, "k8s/readback.toml")
	s := settingsOf(t, content)
	if grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; grace < s.drain(t)+30*time.Second {
		t.Errorf("the pod has %v to end, and its calls %v", grace, s.drain(t))
	}
	if c.config.Data["readback.toml"] != string(content) {
		t.Error("the ConfigMap holds another configuration")
	}
	at := map[string]string{}
	for _, m := range serve.VolumeMounts {
		at[m.Name] = m.MountPath
	}
	for _, v := range pod.Volumes {
		switch {
		case v.PersistentVolumeClaim != nil && (v.PersistentVolumeClaim.ClaimName != c.volume.Name || !strings.HasPrefix(s.Data, at[v.Name]+"/")):
			t.Errorf("the data folder %q is not in the volume", s.Data)
		case v.ConfigMap != nil && (v.ConfigMap.Name != c.config.Name || serve.Args[2] != at[v.Name]+"/readback.toml"):
			t.Errorf("the configuration is %s, and %s is at %s", serve.Args[2], v.ConfigMap.Name, at[v.Name])
		case v.EmptyDir != nil && v.Name == "secrets" && v.EmptyDir.Medium != corev1.StorageMediumMemory:
			t.Error("secrets are written to a disk")
		}
	}
}

// TestThePodsSecretsAreItsUsersAlone: the command that begins the pod copies each file of the Secret, and the configuration names files of the Secret's example.
func TestThePodsSecretsAreItsUsersAlone(t *testing.T) {
	var secret corev1.Secret
	strict(t, read(t, "k8s/secret.example.yaml"), &secret)
	pod := kustomized(t).deployment.Spec.Template.Spec
	dir := t.TempDir()
	for name, value := range secret.StringData { // as kubelet lays them: by links, and for the group
		write(t, filepath.Join(dir, "secret", "..data", name), []byte(value), 0o440)
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(dir, "secret", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "copies"), 0o700); err != nil {
		t.Fatal(err)
	}
	begin := slices.Clone(pod.InitContainers[0].Command)
	last := &begin[len(begin)-1]
	*last = strings.NewReplacer("/run/secret/", filepath.Join(dir, "secret")+"/", "/run/readback/", filepath.Join(dir, "copies")+"/").Replace(*last)
	for range 2 { // a pod that is begun again finds the copies
		ok(t, "/", plain(), begin...)
	}
	s := settingsOf(t, awake(read(t, "k8s/readback.toml")))
	for _, file := range []string{s.LiveKit.File, s.VoipMS.File, s.Ntfy.File} {
		name, in := strings.CutPrefix(file, pod.InitContainers[0].VolumeMounts[1].MountPath+"/")
		b, err := os.ReadFile(filepath.Join(dir, "copies", name))
		info, staterr := os.Stat(filepath.Join(dir, "copies", name))
		if err := errors.Join(err, staterr); err != nil || !in || string(b) != secret.StringData[name] || info.Mode().Perm() != 0o400 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
	if made, err := os.ReadFile(filepath.Join(source, "deploy", "k8s", "kustomization.yaml")); err != nil || strings.Contains(string(made), "secret.example") {
		t.Errorf("the example is applied (%v)", err)
	}
}

// TestWhoComesToThePod is Traefik, in plain HTTP, by the service; the probes are answered.
func TestWhoComesToThePod(t *testing.T) {
	c := kustomized(t)
	labels := c.deployment.Spec.Template.Labels
	backend := c.ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service
	if !reflect.DeepEqual(c.service.Spec.Selector, labels) || !reflect.DeepEqual(c.policy.Spec.PodSelector.MatchLabels, labels) || !reflect.DeepEqual(c.deployment.Spec.Selector.MatchLabels, labels) ||
		backend.Name != c.service.Name || backend.Port.Name != c.service.Spec.Ports[0].Name {
		t.Error("service, policy and ingress speak of other pods")
	}
	content := read(t, "k8s/readback.toml")
	s := settingsOf(t, content)
	if "https://"+c.ingress.Spec.Rules[0].Host != s.PublicURL {
		t.Errorf("the ingress answers for %s", c.ingress.Spec.Rules[0].Host)
	}
	in := c.policy.Spec.Ingress
	if len(in) != 1 || len(in[0].From) != 1 || in[0].From[0].PodSelector == nil || in[0].From[0].NamespaceSelector == nil || len(in[0].Ports) != 1 ||
		!slices.Equal(c.policy.Spec.PolicyTypes, []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}) {
		t.Errorf("more than Traefik comes in: %+v", in)
	}
	k := c.deployment.Spec.Template.Spec.Containers[0]
	_, n := serve(t, lent(t, content, t.TempDir()), filepath.Join(t.TempDir(), "data"), "0.0.0.0")
	for _, p := range []*corev1.Probe{k.StartupProbe, k.LivenessProbe, k.ReadinessProbe} {
		if p == nil || p.HTTPGet == nil {
			t.Fatal("a probe is missing")
		}
		at := slices.IndexFunc(k.Ports, func(q corev1.ContainerPort) bool { return q.Name == p.HTTPGet.Port.StrVal })
		if at < 0 || fmt.Sprintf("0.0.0.0:%d", k.Ports[at].ContainerPort) != s.Listen || in[0].Ports[0].Port.IntVal != k.Ports[at].ContainerPort {
			t.Errorf("a probe asks at %v, the program listens on %s", p.HTTPGet.Port, s.Listen)
		}
		if status, body := get(fmt.Sprintf("http://127.0.0.1:%d%s", n, p.HTTPGet.Path)); status != 200 {
			t.Errorf("%s: %d %s", p.HTTPGet.Path, status, body)
		}
	}
}

// TestAServicesVariablesAreKeptAway: Kubernetes would tell the pod of the service by variables that the program takes for settings, and refuses.
func TestAServicesVariablesAreKeptAway(t *testing.T) {
	c := kustomized(t)
	if links := c.deployment.Spec.Template.Spec.EnableServiceLinks; links == nil || *links {
		t.Error("the pod is told of services by variables")
	}
	name := strings.ToUpper(regexp.MustCompile(`-`).ReplaceAllString(c.service.Name, "_"))
	if out, code := run(t, "/", plain(name+"_SERVICE_HOST=10.43.0.1"), program(t), "serve", "--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0"); code == 0 || !strings.Contains(out, name+"_SERVICE_HOST") {
		t.Errorf("%d %s", code, out)
	}
}
