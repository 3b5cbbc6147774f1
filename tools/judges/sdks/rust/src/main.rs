//! Asks azure_identity for a token. Arguments: `managed`, and a client id or ''. It has no DefaultAzureCredential.
use azure_core::credentials::TokenCredential;
use azure_identity::{ManagedIdentityCredential, ManagedIdentityCredentialOptions, UserAssignedId};

#[tokio::main]
async fn main() {
    let client_id = std::env::args().nth(2).unwrap_or_default();
    let user_assigned_id = (!client_id.is_empty()).then(|| UserAssignedId::ClientId(client_id));
    let options = ManagedIdentityCredentialOptions { user_assigned_id, ..Default::default() };
    let credential = ManagedIdentityCredential::new(Some(options)).expect("options are valid");
    let started = std::time::Instant::now();
    let text = match credential.get_token(&["https://vault.azure.net/.default"], None).await {
        Ok(_) => "token".to_string(),
        Err(error) => error.to_string(),
    };
    let ms = started.elapsed().as_millis() as u64;
    println!("{}", serde_json::json!({ "ms": ms, "text": text }));
}
