; The Windows installer: for one user, without an administrator.
; packaging/windows/package.py calls ISCC with /DVersion, /DNumbers (the four of Windows),
; /DSource (dist\memtray), /DIcon, /O and, where there is something to sign with, /DSigned and
; /Smemtray=COMMAND.

#ifndef Version
  #error Build it by packaging/windows/package.py
#endif
#define RunKey "Software\Microsoft\Windows\CurrentVersion\Run"
#define ApprovedKey "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"

[Setup]
AppId={{7D0B1D5E-6A55-4E0B-9C0B-0A6E5B1C4F7A}
AppName=Memtray
AppVersion={#Version}
AppPublisher=Memtray
VersionInfoVersion={#Numbers}
PrivilegesRequired=lowest
DefaultDirName={localappdata}\Programs\Memtray
UsePreviousAppDir=yes
DisableProgramGroupPage=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\memtray.exe
UninstallDisplayName=Memtray
OutputBaseFilename=Memtray-{#Version}-windows-x64
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
SetupMutex=MemtraySetup
SetupLogging=yes
; PrepareToInstall ends our processes; whatever else has a file of ours open is closed by Windows
CloseApplications=force
RestartApplications=no
#ifdef Signed
SignTool=memtray
SignedUninstaller=yes
#endif

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "zh"; MessagesFile: "compiler:Default.isl,ChineseSimplified.isl"

[CustomMessages]
en.StartAtLogin=Start Memtray when I sign in
zh.StartAtLogin=登录 Windows 时启动 Memtray
en.Stopping=Stopping Memtray...
zh.Stopping=正在停止 Memtray…
en.CannotStop=Memtray is still running and could not be stopped. Quit it from its icon in the taskbar, quit Claude, and run this installer again.
zh.CannotStop=Memtray 仍在运行，无法停止。请从任务栏图标退出 Memtray，并退出 Claude，然后重新运行此安装程序。
en.CannotTell=The version of Memtray that is installed does not work, so it could not be asked whether it is running. If it is, quit it from its icon in the taskbar, and quit Claude. The installation goes on.
zh.CannotTell=已安装的 Memtray 无法工作，因此无法确认它是否正在运行。如果它正在运行，请从任务栏图标退出 Memtray，并退出 Claude。安装将继续。
en.Incomplete=The installed program does not start. Run this installer again; your memories are untouched.
zh.Incomplete=安装后的程序无法启动。请重新运行此安装程序；您的记忆数据未受影响。
en.DeleteData=Delete the search indexes, settings, logs and backups of Memtray as well?%n%nYour memories (claude-mem.db) are kept either way.
zh.DeleteData=是否同时删除 Memtray 的搜索索引、设置、日志和备份？%n%n无论选择哪一项，您的记忆（claude-mem.db）都会保留。
en.LeftBehind=Something could not be taken away: an entry in a configuration file of Claude, or a running program. The uninstaller goes on. If Claude reports a missing server "memtray", remove that entry from its configuration.
zh.LeftBehind=有些内容未能清除：Claude 配置文件中的条目，或正在运行的程序。卸载将继续。如果 Claude 提示找不到服务器“memtray”，请从其配置中删除该条目。

[Tasks]
; off until somebody wants it, as in the app; a silent installation asks nobody
Name: "login"; Description: "{cm:StartAtLogin}"; Flags: unchecked

[InstallDelete]
; no module of an older version is left beside those of this one
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Source}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\Memtray"; Filename: "{app}\memtray.exe"; WorkingDir: "{userdocs}"

[Run]
; the app's own entry below the Run key, written by the same code; one that is there stays as it is
Filename: "{app}\memtray-worker.exe"; Parameters: "start-at-login on"; Flags: runhidden; Tasks: login; Check: LoginAskedFor
Filename: "{app}\memtray-worker.exe"; Parameters: "start-at-login off"; Flags: runhidden; Check: LoginGivenUp
Filename: "{app}\memtray-worker.exe"; Parameters: "start-again ""{tmp}\apps.json"""; Flags: runhidden; Check: AppRan
Filename: "{app}\memtray.exe"; Description: "{cm:LaunchProgram,Memtray}"; WorkingDir: "{userdocs}"; Flags: nowait postinstall skipifsilent; Check: not AppRan

[UninstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Code]
var
  Ran, Installed, TasksSet: Boolean;

function Call(const Folder, Name, Parameters: String): Integer;
begin
  if not Exec(Folder + '\' + Name, Parameters, Folder, SW_HIDE, ewWaitUntilTerminated, Result) then
    Result := -1;
end;

function StartsAtLogin: Boolean;
var
  Approved: AnsiString;
begin
  Result := RegValueExists(HKEY_CURRENT_USER, '{#RunKey}', 'Memtray');
  { an odd first byte: switched off in the Task Manager or in Settings }
  if Result and RegQueryBinaryValue(HKEY_CURRENT_USER, '{#ApprovedKey}', 'Memtray', Approved) then
    if Length(Approved) > 0 then
      Result := Ord(Approved[1]) mod 2 = 0;
end;

function TasksGiven: Boolean;
begin
  Result := (ExpandConstant('{param:TASKS|*}') <> '*') or (ExpandConstant('{param:MERGETASKS|*}') <> '*');
end;

procedure CurPageChanged(Page: Integer);
begin
  { an upgrade offers what holds now, also if it was switched in the app; but once, not after Back }
  if (Page <> wpSelectTasks) or TasksSet or WizardSilent or TasksGiven then
    Exit;
  TasksSet := True;
  if FileExists(ExpandConstant('{app}\memtray.exe')) then
    if StartsAtLogin then
      WizardSelectTasks('login')
    else
      WizardSelectTasks('!login');
end;

function LoginChosen: Boolean;
begin
  { an upgrade that asks nobody leaves it as it is }
  Result := not Installed or not WizardSilent or TasksGiven;
end;

function LoginAskedFor: Boolean;
begin
  Result := LoginChosen and not StartsAtLogin;
end;

function AppRan: Boolean;
begin
  Result := Ran;
end;

function LoginGivenUp: Boolean;
begin
  Result := Installed and LoginChosen and StartsAtLogin and not WizardIsTaskSelected('login');
end;

function PrepareToInstall(var NeedsRestart: Boolean): String;
var
  Folder, Remembered: String;
  Apps: AnsiString;
  Code: Integer;
begin
  Result := '';
  Folder := ExpandConstant('{app}');
  Installed := FileExists(Folder + '\memtray-worker.exe');
  if not Installed then
    Exit;
  WizardForm.PreparingLabel.Caption := CustomMessage('Stopping');
  { by the worker's program, since one without a console shows what is broken in a window, and waits }
  Remembered := ExpandConstant('{tmp}\apps.json');
  Code := Call(Folder, 'memtray-worker.exe', 'make-way --remember "' + Remembered + '"');
  if LoadStringFromFile(Remembered, Apps) then
    Ran := Apps <> '[]';
  if Code = 3 then
    Result := CustomMessage('CannotStop')
  else if Code <> 0 then { what is broken is repaired }
    SuppressibleMsgBox(CustomMessage('CannotTell'), mbInformation, MB_OK, IDOK);
end;

procedure CurStepChanged(Step: TSetupStep);
begin
  if Step = ssPostInstall then
    if Call(ExpandConstant('{app}'), 'memtray-worker.exe', '--version') <> 0 then
      SuppressibleMsgBox(CustomMessage('Incomplete'), mbError, MB_OK, IDOK);
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Parameters: String;
begin
  if Step <> usUninstall then
    Exit;
  Parameters := 'uninstall-cleanup';
  { who lets a program uninstall it is asked nothing, and keeps the data }
  if not UninstallSilent then
    if SuppressibleMsgBox(CustomMessage('DeleteData'), mbConfirmation, MB_YESNO or MB_DEFBUTTON2, IDNO) = IDYES then
      Parameters := Parameters + ' --delete-data';
  if Call(ExpandConstant('{app}'), 'memtray-worker.exe', Parameters) <> 0 then
    if not UninstallSilent then
      SuppressibleMsgBox(CustomMessage('LeftBehind'), mbInformation, MB_OK, IDOK);
end;
