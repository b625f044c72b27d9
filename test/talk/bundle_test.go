package talk

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"readback/test/testbed/npm"
)

// TestTheBundleIsWhatItsCommandMakes: what the page loads of livekit-client is what build.mjs makes of the versions that the lock names, and its notice names the licence of all that is in it.
func TestTheBundleIsWhatItsCommandMakes(t *testing.T) {
	folder, err := filepath.Abs("../../smsmcp/page/talk/livekit")
	if err != nil {
		t.Fatal(err)
	}
	kit := npm.Install(t, folder, "livekit-client")
	into := t.TempDir()
	if out, code := kit.Run(t, nil, filepath.Join(folder, "build.mjs"), kit.Modules, into); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	for _, name := range []string{"livekit.js", "NOTICE.txt"} {
		want, err := os.ReadFile(filepath.Join(into, name)) //nolint:gosec // a test's own
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(folder, name)) //nolint:gosec // the module's own
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the command at the head of build.mjs makes: %v", name, err)
		}
	}
}
