package parts

import (
	"time"

	"readback/cmd/readback/machine"
	"readback/smsmcp"
	"readback/smsmcp/images"
	"readback/smsmcp/outside"
	store "readback/store/images"
)

// imageTime bounds the fetching of one image, and imageHops how often an address may lead on: each is judged anew.
const (
	imageTime = 15 * time.Second
	imageHops = 2
)

// makeImages makes the box of what came with texts. Nothing comes into it by itself.
func (a *App) makeImages() {
	keeper, _ := a.Carrier.(smsmcp.MediaKeeper)
	how := a.o.Outside
	how.Bytes, how.Timeout, how.Redirects, how.Now = images.Most, imageTime, imageHops, a.o.Now
	a.images = images.New(images.Options{
		Book: store.New(a.Store.DB()), Carrier: keeper, Folder: machine.Folder(a.o.Config.Data).Path(machine.ImagesFolder), Now: a.o.Now, Log: a.o.Log,
		Get: outside.New(how),
	})
}
