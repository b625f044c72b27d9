package oauth

// resourceMetadata follows RFC 9728 2.
func (s *Server) resourceMetadata() map[string]any {
	return map[string]any{
		"resource":                 s.resource,
		"resource_name":            "Readback",
		"authorization_servers":    []string{s.issuer},
		"scopes_supported":         All.Names(),
		"bearer_methods_supported": []string{"header"},
	}
}

// serverMetadata follows RFC 8414 2.
func (s *Server) serverMetadata() map[string]any {
	return map[string]any{
		"issuer":                                         s.issuer,
		"authorization_endpoint":                         s.issuer + AuthorizePath,
		"token_endpoint":                                 s.issuer + tokenPath,
		"registration_endpoint":                          s.issuer + registerPath,
		"revocation_endpoint":                            s.issuer + revokePath,
		"scopes_supported":                               All.Names(),
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          []string{authorizationCode, refreshToken},
		"token_endpoint_auth_methods_supported":          []string{noClientSecret},
		"revocation_endpoint_auth_methods_supported":     []string{noClientSecret},
		"code_challenge_methods_supported":               []string{challengeMethod},
		"authorization_response_iss_parameter_supported": true,
		"client_id_metadata_document_supported":          s.o.Documents != nil,
		"protected_resources":                            []string{s.resource},
	}
}
