package mcptools

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/page/body"
)

const (
	elicitKey   = "owner" // of the one question
	elicitField = "answer"
	elicitSend  = "send"
	elicitDont  = "do_not_send"

	// maxElicited bounds a body that a client asks about, in characters: a dialogue of a longer one may be cut where nobody sees it.
	maxElicited = 500
)

// elicits says whether the client that asks now can be asked for the yes to a send that waits: it said so in this very request, of the modern era, where the answer comes with a call of
// its own. In the older eras the answer would have to come over a session, and there are none; package relay asks there.
func (s *server) elicits(ctx context.Context, send smsmcp.Send) bool {
	info := mcpserver.RequestProtocolInfoFromContext(ctx)
	if info == nil || !info.Modern || info.ClientCapabilities == nil || info.ClientCapabilities.Elicitation == nil {
		return false
	}
	can := info.ClientCapabilities.Elicitation
	if can.Form == nil && can.URL != nil { // neither means forms, as in the first revision that had this
		return false
	}
	return s.weak.may(ctx, send) && utf8.RuneCountInString(send.Draft.Body()) <= maxElicited && unmarked(send.Draft.Body())
}

// unmarked says whether a body is seen whole without a mark: no client of a question draws one, as the page and the card do (invariant 14).
func unmarked(text string) bool {
	for _, line := range body.Lines(lang.EN, text) {
		if line.Folded != "" || slices.ContainsFunc(line.Pieces, func(p body.Piece) bool { return p.Mark != "" }) {
			return false
		}
	}
	return true
}

// asks says what became of a send that waited when the tool was done: it has the client ask for the yes, or gives the owner a short time to answer elsewhere. The owner was asked
// elsewhere in either case, and whoever answers first is the one who did.
func (s *server) asks(ctx context.Context, r reply, call [32]byte) *mcp.CallToolResult {
	if !r.again && s.elicits(ctx, r.waits) { // once for each send: nobody is worn down
		secret, err := s.weak.ask(ctx, r.waits, smsmcp.Elicitation, call)
		if err == nil {
			return mcpserver.NewInputRequestBuilder(secret).Elicit(elicitKey, s.weak.form(r.waits)).ToolResult()
		}
		s.log.Error("a question was not kept, and the client is not asked", "id", r.waits.ID, "err", err)
	}
	before := ""
	if r.again {
		before = lang.SendAgain.In(s.lang)
	}
	return s.stands(ctx, r.waits, before)
}

// stands says how a send stands, after a short time for the owner to answer elsewhere where it waits. before stands before that, where it waits then still.
func (s *server) stands(ctx context.Context, send smsmcp.Send, before string) *mcp.CallToolResult {
	if send.State == smsmcp.Reserved || send.State == smsmcp.Waiting && !s.draws(ctx, send) {
		send = s.sending.await(ctx, send)
	}
	if send.State != smsmcp.Waiting {
		return mcp.NewToolResultText(s.sending.tell(send))
	}
	out := mcp.NewToolResultText(before + s.sending.tell(send))
	s.card(ctx, out, send)
	return out
}

// form is what the client shows: whom the text is for, by name and number, the text itself, whole, how many segments it is, and why the owner is asked. The body stands as a JSON string, on one line, closed by its own quote
// whatever it holds (invariant 14). No answer is chosen beforehand.
func (w *weak) form(s smsmcp.Send) mcp.ElicitationParams {
	why := make([]string, len(s.Reasons))
	for i, r := range s.Reasons {
		why[i] = guard.ExplainToOwner(w.lang, w.zone, r)
	}
	return mcp.ElicitationParams{
		Message: lang.ElicitAsk.In(w.lang, s.Name, s.Draft.To(), quoted(s.Draft.Body()), strings.Join(why, " "), s.ID,
			lang.CLISegments.In(w.lang, s.Segments, strings.ToUpper(string(s.Kind))), w.at(s.Expires)),
		RequestedSchema: map[string]any{
			"type": "object",
			"properties": map[string]any{elicitField: map[string]any{
				"type": "string", "title": lang.ElicitAnswer.In(w.lang),
				"enum":      []string{elicitSend, elicitDont}, // in the form that all revisions have
				"enumNames": []string{lang.ElicitSend.In(w.lang), lang.ElicitDont.In(w.lang)},
			}},
			"required": []string{elicitField},
		},
	}
}

// answered takes what a client says its user answered. A call that brings an answer makes no draft, whatever its answer is worth: the first call did.
func (s *server) answered(ctx context.Context, in mcp.MultiRoundTripParams, call [32]byte) (*mcp.CallToolResult, error) {
	choice := said(in.InputResponses)
	q, err := s.weak.find(ctx, in.RequestState, smsmcp.Elicitation, call, choice != elicitDont)
	if err != nil {
		return nil, err
	}
	var send smsmcp.Send
	before := ""
	switch choice {
	case elicitSend:
		send, err = s.weak.yes(ctx, q)
		if errors.Is(err, errMayNot) || errors.Is(err, dispatch.ErrTooWeak) {
			before = lang.ElicitMayNot.In(s.lang)
			send, err = s.looking.log.Check(ctx, q.Send)
		}
	case elicitDont:
		send, err = s.weak.no(ctx, q)
	default:
		send, err = s.looking.log.Check(ctx, q.Send)
	}
	if err != nil {
		return nil, err
	}
	return s.stands(ctx, send, before), nil
}

// said gives the answer: elicitSend, elicitDont, or nothing. The action is looked at before the content, which clients send along with a refusal too.
func said(in mcp.InputResponses) string {
	answer := mcpserver.ElicitationResponse(in, elicitKey)
	if answer == nil {
		return ""
	}
	switch answer.Action {
	case mcp.ElicitationResponseActionDecline:
		return elicitDont
	case mcp.ElicitationResponseActionAccept:
		content, _ := answer.Content.(map[string]any)
		if choice, _ := content[elicitField].(string); len(content) == 1 && (choice == elicitSend || choice == elicitDont) {
			return choice
		}
	}
	return ""
}
