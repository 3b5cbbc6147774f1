# Keeps one file up to date with a ManagedSecret. Run it as a scheduled task at the start of the machine:
#   Register-ScheduledTask -TaskName azimuth-secret -User SYSTEM -Trigger (New-ScheduledTaskTrigger -AtStartup) `
#     -Settings (New-ScheduledTaskSettingsSet -ExecutionTimeLimit 00:00:00 -RestartCount 999 -RestartInterval 00:01:00) `
#     -Action (New-ScheduledTaskAction -Execute pwsh -Argument '-File C:\azimuth\azimuth-secret.ps1 -Url ... -File ...')
# Without the first setting Windows ends the task after three days. -Hook is a command in PowerShell.
# -Format pem writes a certificate as key, leaf and issuers in PEM.
# The certificate authority of the endpoint is in Cert:\LocalMachine\Root. Needs PowerShell 7.
param(
  [Parameter(Mandatory)] [string] $Url,
  [Parameter(Mandatory)] [string] $Audience,
  [Parameter(Mandatory)] [string] $File,
  [string] $ClientId,
  [string] $Hook,
  [ValidateRange(0, 60)] [int] $Wait = 60,
  [ValidateSet('', 'pem')] [string] $Format = '',
  [switch] $Once
)
$ErrorActionPreference = 'Stop'
# .NET has a current directory of its own.
$File = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($File)

function Get-Token {
  $query = "api-version=2018-02-01&resource=$([uri]::EscapeDataString($Audience))"
  if ($ClientId) { $query += "&client_id=$ClientId" }
  $uri = "http://169.254.169.254/metadata/identity/oauth2/token?$query"
  (Invoke-RestMethod -Uri $uri -Headers @{ Metadata = 'true' } -NoProxy -TimeoutSec 30).access_token
}

# Only SYSTEM and administrators may read the file.
function Protect-File([string] $Path) {
  $acl = New-Object System.Security.AccessControl.FileSecurity
  $acl.SetAccessRuleProtection($true, $false)
  foreach ($sid in 'S-1-5-18', 'S-1-5-32-544') {
    $who = New-Object System.Security.Principal.SecurityIdentifier $sid
    $acl.AddAccessRule((New-Object System.Security.AccessControl.FileSystemAccessRule $who, 'FullControl', 'Allow'))
  }
  Set-Acl -Path $Path -AclObject $acl
}

function Update-Secret {
  # As text: ConvertFrom-Json would make a date of a value that looks like one.
  $headers = @{ Authorization = "Bearer $(Get-Token)"; Accept = 'text/plain' }
  $tagFile = "$File.etag"
  if ((Test-Path $File) -and (Test-Path $tagFile)) { $headers['If-None-Match'] = (Get-Content -Raw $tagFile).Trim() }
  $query = if ($Format) { "&format=$Format" } else { '' }
  $answer = Invoke-WebRequest -Uri "${Url}?wait=$Wait$query" -Headers $headers -SkipHttpErrorCheck -TimeoutSec 90
  if ($answer.StatusCode -eq 304) { return }
  if ($answer.StatusCode -ne 200) {
    $code = if ($answer.Content -match '"code":"([a-z_]*)"') { $Matches[1] }
    throw "the endpoint answered $($answer.StatusCode) $code"
  }
  $new = "$File.new"
  New-Item -ItemType File -Path $new -Force | Out-Null
  Protect-File $new
  [System.IO.File]::WriteAllText($new, $answer.Content)
  # The value before its tag: after a stop between the two the next request gets the value again.
  [System.IO.File]::Move($new, $File, $true)
  [System.IO.File]::WriteAllText($tagFile, [string] $answer.Headers['ETag'])
  if ($Hook) {
    try { & ([scriptblock]::Create($Hook)) } catch { Write-Warning "azimuth-secret: the hook failed: $_" }
  }
}

$delay = 5
while ($true) {
  try {
    Update-Secret
    if ($Once) { exit 0 }
    $delay = 5
    Start-Sleep -Seconds (Get-Random -Minimum 1 -Maximum 6)
  } catch {
    Write-Warning "azimuth-secret: $($_.Exception.Message)"
    if ($Once) { exit 1 }
    Start-Sleep -Seconds ($delay + (Get-Random -Maximum $delay))
    $delay = [Math]::Min(300, $delay * 2)
  }
}
