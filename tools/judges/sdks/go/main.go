// Asks azidentity for a token. Arguments: `default` or `managed`, and a client id or ''.
package main

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

func main() {
	mode, clientID := os.Args[1], os.Args[2]
	var credential azcore.TokenCredential
	var err error
	if mode == "default" {
		// The only way to name a user-assigned identity.
		if clientID != "" {
			os.Setenv("AZURE_CLIENT_ID", clientID)
		}
		credential, err = azidentity.NewDefaultAzureCredential(nil)
	} else {
		options := &azidentity.ManagedIdentityCredentialOptions{}
		if clientID != "" {
			options.ID = azidentity.ClientID(clientID)
		}
		credential, err = azidentity.NewManagedIdentityCredential(options)
	}
	started := time.Now()
	if err == nil {
		_, err = credential.GetToken(context.Background(), policy.TokenRequestOptions{
			Scopes: []string{"https://vault.azure.net/.default"},
		})
	}
	text := "token"
	if err != nil {
		text = err.Error()
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"ms": time.Since(started).Milliseconds(), "text": text})
}
