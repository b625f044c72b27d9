//go:build conformance

package mcptools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"readback/smsmcp"
)

// The fixture: the tools and the prompt that the conformance suite calls by name to see how a server asks its client for input (SEP-2322). They are served by the product's own stack, and
// where they keep a state it is a question of the product's own book. They are in no program but one built with the tag conformance, for test/clients.

const fixtureState = "test_input_required_result_"

// fixture registers it.
func (s *server) fixture(m *mcpserver.MCPServer) {
	for name, serve := range map[string]mcpserver.ToolHandlerFunc{
		fixtureState + "elicitation":     asksFirst(elicits("user_name")),
		"test_streaming_elicitation":     asksFirst(elicits("user_name")),
		fixtureState + "sampling":        asksFirst(samples("capital_question")),
		fixtureState + "list_roots":      asksFirst(listsRoots("client_roots")),
		fixtureState + "capabilities":    asksWhatIsDeclared,
		fixtureState + "request_state":   s.asksInOrder(elicits("confirm")),
		fixtureState + "tampered_state":  s.asksInOrder(elicits("confirm")),
		fixtureState + "multi_round":     s.asksInOrder(elicits("step1"), elicits("step2")),
		fixtureState + "multiple_inputs": s.asksInOrder(inputs{"user_name": "elicitation", "greeting": "sampling", "client_roots": "roots"}),
	} {
		m.AddTool(mcp.NewTool(name, mcp.WithDescription("Asks the client for input.")), serve)
	}
	m.AddPrompt(mcp.NewPrompt(fixtureState+"prompt"), func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if mcpserver.ElicitationResponse(r.Params.InputResponses, "user_context") == nil {
			return elicits("user_context").ask("").PromptResult(), nil
		}
		return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("done"))}), nil
	})
}

// inputs is what is asked for, by key.
type inputs map[string]string

func elicits(key string) inputs    { return inputs{key: "elicitation"} }
func samples(key string) inputs    { return inputs{key: "sampling"} }
func listsRoots(key string) inputs { return inputs{key: "roots"} }

func (in inputs) ask(state string) *mcpserver.InputRequestBuilder {
	b := mcpserver.NewInputRequestBuilder(state)
	for key, kind := range in {
		switch kind {
		case "elicitation":
			b.Elicit(key, mcp.ElicitationParams{Message: "A question.", RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{key: map[string]any{"type": "string"}}, "required": []string{key},
			}})
		case "sampling":
			b.Sample(key, mcp.CreateMessageParams{MaxTokens: 50, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent("A question.")}}})
		case "roots":
			b.Roots(key)
		}
	}
	return b
}

// answered says whether all of it came, each in its form.
func (in inputs) answered(by mcp.InputResponses) bool {
	for key, kind := range in {
		switch kind {
		case "elicitation":
			if mcpserver.ElicitationResponse(by, key) == nil {
				return false
			}
		case "sampling":
			if mcpserver.SamplingResponse(by, key) == nil {
				return false
			}
		case "roots":
			if mcpserver.RootsResponse(by, key) == nil {
				return false
			}
		}
	}
	return true
}

// asksFirst asks until it is answered, and keeps no state.
func asksFirst(in inputs) mcpserver.ToolHandlerFunc {
	return func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if !in.answered(r.Params.InputResponses) {
			return in.ask("").ToolResult(), nil
		}
		return mcp.NewToolResultText("done"), nil
	}
}

func asksWhatIsDeclared(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := inputs{}
	if can := mcpserver.RequestProtocolInfoFromContext(ctx).ClientCapabilities; can != nil {
		if can.Elicitation != nil {
			in["name"] = "elicitation"
		}
		if can.Sampling != nil {
			in["words"] = "sampling"
		}
		if can.Roots != nil {
			in["roots"] = "roots"
		}
	}
	return in.ask("").ToolResult(), nil
}

var errFixture = errors.New("the state is none that was given for this")

// asksInOrder asks for one thing after the other, each time with a question of the book, which the answer must bring back.
func (s *server) asksInOrder(rounds ...inputs) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		next := 0
		if r.Params.RequestState != "" {
			for i, in := range rounds {
				if in.answered(r.Params.InputResponses) {
					next = i + 1
				}
			}
			if next == 0 {
				return nil, errFixture
			}
			if _, err := s.weak.find(ctx, r.Params.RequestState, smsmcp.Elicitation, callOf(fmt.Sprint(r.Params.Name, next-1), nil, nil), true); err != nil {
				return nil, err
			}
		}
		if next == len(rounds) {
			return mcp.NewToolResultText("done"), nil
		}
		send := smsmcp.Send{ID: "conformance", Expires: s.weak.now().Add(time.Minute)}
		state, err := s.weak.ask(ctx, send, smsmcp.Elicitation, callOf(fmt.Sprint(r.Params.Name, next), nil, nil))
		if err != nil {
			return nil, err
		}
		return rounds[next].ask(state).ToolResult(), nil
	}
}
