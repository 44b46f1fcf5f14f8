<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ClearRecallsRow</name>
    <message numerus="yes">
        <source>%n calls were forgotten.</source>
        <translation>
            <numerusform>%n call was forgotten.</numerusform>
            <numerusform>%n calls were forgotten.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GaveUpDialog</name>
    <message numerus="yes">
        <source>It crashed %n times within ten minutes and is not started again.</source>
        <translation>
            <numerusform>It crashed within the last ten minutes and is not started again.</numerusform>
            <numerusform>It crashed %n times within ten minutes and is not started again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message numerus="yes">
        <source>looked at %n s ago</source>
        <translation>
            <numerusform>looked at %n s ago</numerusform>
            <numerusform>looked at %n s ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>looked at %n min ago</source>
        <translation>
            <numerusform>looked at %n min ago</numerusform>
            <numerusform>looked at %n min ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>looked at %n h ago</source>
        <translation>
            <numerusform>looked at %n h ago</numerusform>
            <numerusform>looked at %n h ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parts need attention</source>
        <translation>
            <numerusform>%n part needs attention</numerusform>
            <numerusform>%n parts need attention</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Import</name>
    <message numerus="yes">
        <source>Claude Code deletes the oldest of them in %n days.</source>
        <translation>
            <numerusform>Claude Code deletes the oldest of them in %n day.</numerusform>
            <numerusform>Claude Code deletes the oldest of them in %n days.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation>
            <numerusform>%n year ago</numerusform>
            <numerusform>%n years ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation>
            <numerusform>%n month ago</numerusform>
            <numerusform>%n months ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>%n day ago</numerusform>
            <numerusform>%n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hours ago</source>
        <translation>
            <numerusform>%n hour ago</numerusform>
            <numerusform>%n hours ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minutes ago</source>
        <translation>
            <numerusform>%n minute ago</numerusform>
            <numerusform>%n minutes ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Recalls</name>
    <message numerus="yes">
        <source>%n recalls today, about {tokens} tokens</source>
        <translation>
            <numerusform>%n recall today, about {tokens} tokens</numerusform>
            <numerusform>%n recalls today, about {tokens} tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Supervisor</name>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln memory</numerusform>
            <numerusform>%Ln memories</numerusform>
        </translation>
    </message>
</context>
</TS>
