# Installs eventreg for the person who runs this. This script was never run where it was written; see docs/release.md.
$ErrorActionPreference = 'Stop'
$version = if ($args) { $args[0] } else { '@VERSION@' }
$releases = if ($env:EVENTREG_RELEASES) { $env:EVENTREG_RELEASES } else { 'https://github.com/eventreg/eventreg/releases/download' }
$name = "eventreg-$version-windows-x64"
$draft = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
$folder = Join-Path $env:LOCALAPPDATA 'Programs\eventreg'
New-Item -ItemType Directory -Force $draft, $folder | Out-Null
foreach ($file in 'SHA256SUMS', "$name.zip") { Invoke-WebRequest "$releases/v$version/$file" -OutFile (Join-Path $draft $file) -UseBasicParsing }
$wanted = (Select-String -Path (Join-Path $draft 'SHA256SUMS') -Pattern "^([0-9a-f]{64})  $([Regex]::Escape($name)).zip$").Matches[0].Groups[1].Value
if ((Get-FileHash (Join-Path $draft "$name.zip")).Hash -ne $wanted) { throw "$name.zip is damaged, or was exchanged: nothing was installed." }
Expand-Archive (Join-Path $draft "$name.zip") $draft
Copy-Item (Join-Path $draft "$name\eventreg.exe") $folder -Force
Write-Output "eventreg $version is in $folder. Add that folder to your PATH."
