# Installs eventreg for the person who runs this. This script was never run where it was written; see docs/release.md.
$ErrorActionPreference = 'Stop'; $ProgressPreference = 'SilentlyContinue'
$version = if ($args) { "$($args[0])".TrimStart('v') } else { '@VERSION@' }
$releases = if ($env:EVENTREG_RELEASES) { $env:EVENTREG_RELEASES } else { 'https://github.com/eventreg/eventreg/releases/download' }
$name = "eventreg-$version-windows-x64"; $draft = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid()); $folder = Join-Path $env:LOCALAPPDATA 'Programs\eventreg'; $program = Join-Path $folder 'eventreg.exe'
try {
  New-Item -ItemType Directory -Force $draft, $folder | Out-Null
  foreach ($file in 'SHA256SUMS', "$name.zip") { Invoke-WebRequest "$releases/v$version/$file" -OutFile (Join-Path $draft $file) -UseBasicParsing }
  $wanted = Select-String -Path (Join-Path $draft 'SHA256SUMS') -Pattern "^([0-9a-f]{64})  $([Regex]::Escape($name)).zip$"
  if (!$wanted -or (Get-FileHash (Join-Path $draft "$name.zip")).Hash -ne $wanted.Matches[0].Groups[1].Value) { throw "$name.zip is damaged, or SHA256SUMS is not of it: nothing was installed." }
  Expand-Archive (Join-Path $draft "$name.zip") $draft
  try { Copy-Item (Join-Path $draft "$name\eventreg.exe") $program -Force } catch { throw "$program cannot be replaced. Close eventreg if it runs, and try again. $_" }
  $link = (New-Object -ComObject WScript.Shell).CreateShortcut((Join-Path ([Environment]::GetFolderPath('Desktop')) 'eventreg.lnk')); $link.TargetPath = $program; $link.Save()
  Write-Output "eventreg $version is in $folder, and on your desktop: drop a guest list on it. To type eventreg in a terminal, add that folder to your PATH."
} finally { Remove-Item -Recurse -Force $draft -ErrorAction SilentlyContinue }
