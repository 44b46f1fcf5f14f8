<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Search memory…</source>
        <translation>搜索记忆(&amp;S)…</translation>
    </message>
    <message>
        <source>S&amp;tart worker</source>
        <translation>启动后台服务(&amp;T)</translation>
    </message>
    <message>
        <source>St&amp;op worker</source>
        <translation>停止后台服务(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Restart worker</source>
        <translation>重启后台服务(&amp;R)</translation>
    </message>
    <message>
        <source>Recent &amp;memories</source>
        <translation>最近的记忆(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Claude&apos;s recalls today</source>
        <translation>Claude 今天的查阅(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>导入(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Files or a folder…</source>
        <translation>文件或文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Undo the last import…</source>
        <translation>撤销上次导入(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;Pause capture</source>
        <translation>暂停记录(&amp;P)</translation>
    </message>
    <message>
        <source>For an &amp;hour</source>
        <translation>一小时(&amp;H)</translation>
    </message>
    <message>
        <source>For &amp;today</source>
        <translation>今天(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Until I go on</source>
        <translation>直到我继续(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Go on capturing</source>
        <translation>继续记录(&amp;G)</translation>
    </message>
    <message>
        <source>Bac&amp;kups…</source>
        <translation>备份(&amp;K)…</translation>
    </message>
    <message>
        <source>&amp;Logs…</source>
        <translation>日志(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Health…</source>
        <translation>运行状况(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Notices…</source>
        <translation>通知(&amp;N)…</translation>
    </message>
    <message>
        <source>Start &amp;at login</source>
        <translation>登录时启动(&amp;A)</translation>
    </message>
    <message>
        <source>S&amp;ettings…</source>
        <translation>设置(&amp;E)…</translation>
    </message>
    <message>
        <source>A&amp;bout and diagnostics…</source>
        <translation>关于与诊断(&amp;B)…</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>There are no memories yet</source>
        <translation>还没有记忆</translation>
    </message>
    <message>
        <source>&amp;All recalls and charts…</source>
        <translation>全部查阅与图表(&amp;A)…</translation>
    </message>
    <message>
        <source>{paused} – go on</source>
        <translation>{paused} – 继续记录</translation>
    </message>
    <message>
        <source>&amp;Claude Code&apos;s sessions ({n})…</source>
        <translation>Claude Code 的会话（{n} 个）(&amp;C)…</translation>
    </message>
</context>
<context>
    <name>Around</name>
    <message>
        <source>More &amp;before</source>
        <translation>更早的(&amp;B)</translation>
    </message>
    <message>
        <source>More &amp;after</source>
        <translation>更晚的(&amp;A)</translation>
    </message>
    <message>
        <source>What happened before and after</source>
        <translation>前后发生了什么</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>前后</translation>
    </message>
</context>
<context>
    <name>AskedLabel</name>
    <message>
        <source>Copy &amp;question</source>
        <translation>复制问题(&amp;Q)</translation>
    </message>
</context>
<context>
    <name>Backups</name>
    <message>
        <source>Daily</source>
        <translation>每日</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>手动</translation>
    </message>
    <message>
        <source>Before a restore</source>
        <translation>恢复之前</translation>
    </message>
    <message>
        <source>today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>{n} days ago</source>
        <translation>{n} 天前</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>{memories} observations, {sessions} summaries, {prompts} prompts</source>
        <translation>{memories} 条观察、{sessions} 条摘要、{prompts} 条提示词</translation>
    </message>
    <message>
        <source>The worker makes one a day and keeps {daily} of those, and {before} from before a restore. What you make by hand stays until you delete the file.</source>
        <translation>后台服务每天备份一次，保留其中 {daily} 个，另保留 {before} 个恢复之前的备份。手动备份会一直保留，直到您删除文件。</translation>
    </message>
    <message>
        <source>Go back to the memories of {when}?</source>
        <translation>恢复到 {when} 的记忆？</translation>
    </message>
    <message>
        <source>The backup holds {counts}. What is there now is kept as a backup of its own first, so that you can come back.</source>
        <translation>此备份包含{counts}。现有内容会先另存为一个备份，以便您随时恢复回来。</translation>
    </message>
    <message>
        <source>Backed up and checked: {counts}.</source>
        <translation>已备份并检查：{counts}。</translation>
    </message>
    <message>
        <source>Restored: {counts}. What was there before is kept.</source>
        <translation>已恢复：{counts}。之前的内容已保留。</translation>
    </message>
</context>
<context>
    <name>BackupsModel</name>
    <message>
        <source>Made</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>✕ damaged</source>
        <translation>✕ 已损坏</translation>
    </message>
    <message>
        <source>✓ verified</source>
        <translation>✓ 已验证</translation>
    </message>
</context>
<context>
    <name>BackupsWindow</name>
    <message>
        <source>Backups – Memtray</source>
        <translation>备份 – Memtray</translation>
    </message>
    <message>
        <source>Sta&amp;rt worker</source>
        <translation>启动后台服务(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Back up now</source>
        <translation>立即备份(&amp;B)</translation>
    </message>
    <message>
        <source>R&amp;estore…</source>
        <translation>恢复(&amp;E)…</translation>
    </message>
    <message>
        <source>Open the &amp;folder</source>
        <translation>打开文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>The worker does not answer ({state}). It makes the backups.</source>
        <translation>后台服务没有响应（{state}）。备份由它完成。</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Restore – Memtray</source>
        <translation>恢复 – Memtray</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>恢复(&amp;R)</translation>
    </message>
    <message>
        <source>Each is a whole copy of your memories, read back and counted before it gets its name. Going back to one keeps what is there now.</source>
        <translation>每个备份都是全部记忆的完整副本，写好后会重新读取并清点，然后才命名。恢复某个备份时，现有内容会保留。</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Search does less than it should: {cause}</source>
        <translation>搜索功能受限：{cause}</translation>
    </message>
    <message>
        <source>The worker is starting; the search follows by itself.</source>
        <translation>后台服务正在启动，随后会自动搜索。</translation>
    </message>
    <message>
        <source>The worker does not answer ({state}). What is shown stays readable.</source>
        <translation>后台服务没有响应（{state}）。已显示的内容仍可阅读。</translation>
    </message>
    <message>
        <source>&amp;Start worker</source>
        <translation>启动后台服务(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Restart worker</source>
        <translation>重启后台服务(&amp;R)</translation>
    </message>
    <message>
        <source>What is &amp;wrong…</source>
        <translation>哪里出了问题(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
</context>
<context>
    <name>Bar</name>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>后退 (Alt+Left)</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>前进 (Alt+Right)</translation>
    </message>
    <message>
        <source>Previous hit (Shift+F3)</source>
        <translation>上一处匹配 (Shift+F3)</translation>
    </message>
    <message>
        <source>Next hit (F3)</source>
        <translation>下一处匹配 (F3)</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>查找(&amp;F)</translation>
    </message>
    <message>
        <source>Find in this memory (Ctrl+F)</source>
        <translation>在这条记忆中查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>As Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>As JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>With the rows below, as a prompt block</source>
        <translation>连同下面的行，复制为提示块</translation>
    </message>
    <message>
        <source>As a prompt block (about {count} tokens)</source>
        <translation>复制为提示块（约 {count} 个 token）</translation>
    </message>
</context>
<context>
    <name>CallsView</name>
    <message>
        <source>Calls of Claude</source>
        <translation>Claude 的调用</translation>
    </message>
</context>
<context>
    <name>CannotStartDialog</name>
    <message>
        <source>Memtray cannot start</source>
        <translation>Memtray 无法启动</translation>
    </message>
    <message>
        <source>Data folder: {folder}</source>
        <translation>数据文件夹：{folder}</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
</context>
<context>
    <name>ChartView</name>
    <message>
        <source>Show as &amp;table</source>
        <translation>以表格显示(&amp;T)</translation>
    </message>
</context>
<context>
    <name>ChipLabel</name>
    <message>
        <source>Filter {filter}</source>
        <translation>筛选条件 {filter}</translation>
    </message>
    <message>
        <source>Remove filter {filter}</source>
        <translation>移除筛选条件 {filter}</translation>
    </message>
</context>
<context>
    <name>ClearRecallsRow</name>
    <message numerus="yes">
        <source>%n calls were forgotten.</source>
        <translation>
            <numerusform>已清除 %n 条调用记录。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClientRow</name>
    <message>
        <source>Connect…</source>
        <translation>连接…</translation>
    </message>
    <message>
        <source>Add again</source>
        <translation>重新添加</translation>
    </message>
    <message>
        <source>Disconnect…</source>
        <translation>断开连接…</translation>
    </message>
    <message>
        <source>Undo last change</source>
        <translation>撤销上次更改</translation>
    </message>
    <message>
        <source>Copy line</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>There is no command claude here; the line is copied.</source>
        <translation>这里没有 claude 命令，命令行已复制。</translation>
    </message>
    <message>
        <source>✓ Copied, to be typed where Claude Code is: {line}</source>
        <translation>✓ 已复制，请在装有 Claude Code 的地方输入：{line}</translation>
    </message>
    <message>
        <source>One moment…</source>
        <translation>请稍候…</translation>
    </message>
</context>
<context>
    <name>Clients</name>
    <message>
        <source>✓ {client} really asked Memtray at {time}.</source>
        <translation>✓ {client} 已在 {time} 真正查询过 Memtray。</translation>
    </message>
    <message>
        <source>○ Claude has not asked Memtray yet. Restart Claude, then give it this:</source>
        <translation>○ Claude 还没有查询过 Memtray。请重启 Claude，然后把这句话发给它：</translation>
    </message>
    <message>
        <source>– What Claude asks is not recorded (Settings, Privacy).</source>
        <translation>– 没有记录 Claude 的查询（设置 → 隐私）。</translation>
    </message>
    <message>
        <source>– The worker does not answer, so it cannot be seen whether Claude asks.</source>
        <translation>– 后台服务没有响应，无法得知 Claude 是否查询过。</translation>
    </message>
    <message>
        <source>– Claude cannot ask yet: it is not connected.</source>
        <translation>– Claude 还不能查询：尚未连接。</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Claude may have written its file anew. Quit Claude, then add it again.</source>
        <translation>Claude 可能重写了它的配置文件。请退出 Claude，再重新添加。</translation>
    </message>
    <message>
        <source>Its entry for Memtray is gone</source>
        <translation>其中的 Memtray 条目已丢失</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>Install it and start it once.</source>
        <translation>请先安装并启动一次。</translation>
    </message>
    <message>
        <source>Connect it again, and it starts this Memtray.</source>
        <translation>重新连接后，它启动的就是这个 Memtray。</translation>
    </message>
    <message>
        <source>Points to another place</source>
        <translation>指向了别的位置</translation>
    </message>
    <message>
        <source>Another server has our name</source>
        <translation>另一个服务器占用了我们的名称</translation>
    </message>
    <message>
        <source>Its config file is broken</source>
        <translation>它的配置文件已损坏</translation>
    </message>
    <message>
        <source>Quit Claude Desktop first: while it runs it may write this file anew, without the entry.</source>
        <translation>请先退出 Claude Desktop：它在运行时可能会重写此文件，丢掉这个条目。</translation>
    </message>
    <message>
        <source>All was as wanted already.</source>
        <translation>一切已符合要求，无需更改。</translation>
    </message>
    <message>
        <source>Done. Quit Claude Desktop and start it again; closing its window is not enough.</source>
        <translation>完成。请退出 Claude Desktop 再重新启动；只关闭窗口是不够的。</translation>
    </message>
    <message>
        <source>Done. Sessions of Claude Code that run already see it after a restart.</source>
        <translation>完成。正在运行的 Claude Code 会话重启后即可看到。</translation>
    </message>
    <message>
        <source>What was in the file before is in {file}.</source>
        <translation>文件原来的内容保存在 {file}。</translation>
    </message>
    <message>
        <source>Search my memory with memtray: what did we work on last, and what was decided?</source>
        <translation>用 memtray 搜索我的记忆：我们上次做了什么，做了哪些决定？</translation>
    </message>
</context>
<context>
    <name>ClientsPage</name>
    <message>
        <source>Connect Claude</source>
        <translation>连接 Claude</translation>
    </message>
    <message>
        <source>Claude can search these memories by itself. You see the exact change to its config before it is made; the file is backed up, and you can undo it.</source>
        <translation>Claude 可以自行搜索这些记忆。更改它的配置之前，您会看到确切的改动；原文件会备份，也可以撤销。</translation>
    </message>
</context>
<context>
    <name>ClientsPanel</name>
    <message>
        <source>Looking for Claude…</source>
        <translation>正在查找 Claude…</translation>
    </message>
</context>
<context>
    <name>Copier</name>
    <message>
        <source>Copied as a prompt block: about {count} tokens.</source>
        <translation>已复制为提示块：约 {count} 个 token。</translation>
    </message>
    <message>
        <source>Copied {count} memories.</source>
        <translation>已复制 {count} 条记忆。</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Nothing was copied: these memories are not there any more.</source>
        <translation>没有复制：这些记忆已不存在。</translation>
    </message>
    <message>
        <source>Nothing was copied: {why}</source>
        <translation>没有复制：{why}</translation>
    </message>
</context>
<context>
    <name>DeleteDialog</name>
    <message>
        <source>Delete – Memtray</source>
        <translation>删除 – Memtray</translation>
    </message>
    <message>
        <source>What is deleted is found nowhere, neither here nor by Claude, and importing does not bring it back. You can undo it for 30 days.</source>
        <translation>删除后，在这里和在 Claude 中都找不到，重新导入也不会恢复。30 天内可以撤销。</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
</context>
<context>
    <name>DiagnosticsWindow</name>
    <message>
        <source>Diagnostics – Memtray</source>
        <translation>诊断 – Memtray</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save as zip…</source>
        <translation>另存为 zip(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>重新检查(&amp;L)</translation>
    </message>
    <message>
        <source>Memtray {version} · {status} · {folder}</source>
        <translation>Memtray {version} · {status} · {folder}</translation>
    </message>
    <message>
        <source>About and diagnostics</source>
        <translation>关于与诊断</translation>
    </message>
    <message>
        <source>This is all that is copied or saved. Your home folder, your user name, keys and the text of memories are left out. Nothing is sent anywhere.</source>
        <translation>复制或保存的就是这些内容。您的主文件夹、用户名、密钥和记忆正文都已略去。不会发送到任何地方。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Collecting</source>
        <translation>正在收集</translation>
    </message>
    <message>
        <source>Collecting…</source>
        <translation>正在收集…</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Save diagnostics</source>
        <translation>保存诊断信息</translation>
    </message>
    <message>
        <source>Zip files (*.zip)</source>
        <translation>Zip 文件 (*.zip)</translation>
    </message>
    <message>
        <source>Saved as {path}</source>
        <translation>已保存为 {path}</translation>
    </message>
</context>
<context>
    <name>EmptyPage</name>
    <message>
        <source>&amp;Connect Claude…</source>
        <translation>连接 Claude(&amp;C)…</translation>
    </message>
    <message>
        <source>Open the &amp;privacy settings…</source>
        <translation>打开隐私设置(&amp;P)…</translation>
    </message>
    <message>
        <source>Claude has not asked for anything yet</source>
        <translation>Claude 还没有查阅过任何内容</translation>
    </message>
    <message>
        <source>Connect Claude Desktop or Claude Code, then ask Claude, for example: “What did we decide about the database? Search your memory.” What it asks for, and which memories it sees, then stands here.</source>
        <translation>连接 Claude Desktop 或 Claude Code，然后问 Claude，例如：“关于数据库我们做了什么决定？搜索一下你的记忆。”它查询的内容和看到的记忆就会显示在这里。</translation>
    </message>
    <message>
        <source>Nothing is recorded</source>
        <translation>没有任何记录</translation>
    </message>
    <message>
        <source>The recording of what Claude asks for is switched off in the settings.</source>
        <translation>设置中已关闭对 Claude 查询的记录。</translation>
    </message>
</context>
<context>
    <name>Excludes</name>
    <message>
        <source>Capture is paused</source>
        <translation>记录已暂停</translation>
    </message>
    <message>
        <source>Capture is paused until {time}</source>
        <translation>记录已暂停，直到 {time}</translation>
    </message>
    <message>
        <source>No project is known yet; it holds for those to come.</source>
        <translation>还没有已知项目；对今后的项目有效。</translation>
    </message>
    <message>
        <source>It matches none of the {n} known projects.</source>
        <translation>{n} 个已知项目都不匹配。</translation>
    </message>
    <message>
        <source>It matches {found} of {n} known projects:</source>
        <translation>匹配 {n} 个已知项目中的 {found} 个：</translation>
    </message>
    <message>
        <source>{n} memories</source>
        <translation>{n} 条记忆</translation>
    </message>
    <message>
        <source>… and {n} more</source>
        <translation>……还有 {n} 个</translation>
    </message>
    <message>
        <source>{n} memories of {names} are stored. They stay and are found.</source>
        <translation>已存储 {names} 的 {n} 条记忆。它们会保留，也能搜索到。</translation>
    </message>
</context>
<context>
    <name>ExcludesPanel</name>
    <message>
        <source>Pattern to exclude</source>
        <translation>要排除的模式</translation>
    </message>
    <message>
        <source>secret-*   or   ~/code/secret</source>
        <translation>secret-*   或   ~/code/secret</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>添加(&amp;D)</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation>移除(&amp;V)</translation>
    </message>
    <message>
        <source>It matches no known project.</source>
        <translation>不匹配任何已知项目。</translation>
    </message>
    <message>
        <source>&amp;Exclude projects and folders</source>
        <translation>排除项目和文件夹(&amp;E)</translation>
    </message>
    <message>
        <source>They are not imported, not watched and not saved. As in .gitignore: a name means each project and folder of that name and all below it; ~/code/secret means one folder; * stands for any letters, ** for any folders; ! exempts, and the last pattern that matches decides. The case of letters does not matter.</source>
        <translation>它们不会被导入、监视或保存。写法与 .gitignore 相同：名称表示所有同名的项目和文件夹及其下的全部内容；~/code/secret 表示一个文件夹；* 代表任意字符，** 代表任意文件夹；! 表示例外，以最后匹配的模式为准。不区分大小写。</translation>
    </message>
</context>
<context>
    <name>FacetTree</name>
    <message>
        <source>Narrow the search</source>
        <translation>缩小搜索范围</translation>
    </message>
    <message>
        <source>Only this	Click</source>
        <translation>只看此项	单击</translation>
    </message>
    <message>
        <source>This too	Ctrl+Click</source>
        <translation>加上此项	Ctrl+单击</translation>
    </message>
    <message>
        <source>Not this	Alt+Click</source>
        <translation>排除此项	Alt+单击</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>月份</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this memory</source>
        <translation>在这条记忆中查找</translation>
    </message>
    <message>
        <source>Previous place</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Next place</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>FolderRow</name>
    <message>
        <source>&amp;Open the file</source>
        <translation>打开文件(&amp;O)</translation>
    </message>
    <message>
        <source>Open the &amp;folder</source>
        <translation>打开文件夹(&amp;F)</translation>
    </message>
</context>
<context>
    <name>FoundPage</name>
    <message>
        <source>Welcome to Memtray</source>
        <translation>欢迎使用 Memtray</translation>
    </message>
    <message>
        <source>Memtray finds what was done and decided in your sessions with Claude. All of it stays on this machine. This is what it has found here:</source>
        <translation>Memtray 帮您找回与 Claude 的会话中做过的事和做出的决定。所有内容都留在这台电脑上。以下是在这里找到的内容：</translation>
    </message>
    <message>
        <source>… Looking</source>
        <translation>… 正在查找</translation>
    </message>
    <message>
        <source>&amp;Import them</source>
        <translation>导入(&amp;I)</translation>
    </message>
</context>
<context>
    <name>GaveUpDialog</name>
    <message>
        <source>The worker keeps crashing – Memtray</source>
        <translation>后台服务反复崩溃 – Memtray</translation>
    </message>
    <message>
        <source>The worker keeps crashing</source>
        <translation>后台服务反复崩溃</translation>
    </message>
    <message>
        <source>What it said &amp;last:</source>
        <translation>它最后的输出(&amp;L)：</translation>
    </message>
    <message>
        <source>Last lines of the worker</source>
        <translation>后台服务的最后几行输出</translation>
    </message>
    <message numerus="yes">
        <source>It crashed %n times within ten minutes and is not started again.</source>
        <translation>
            <numerusform>它在十分钟内崩溃了 %n 次，不再自动启动。</numerusform>
        </translation>
    </message>
    <message>
        <source>(It said nothing.)</source>
        <translation>（没有任何输出。）</translation>
    </message>
    <message>
        <source>&amp;Restart worker</source>
        <translation>重启后台服务(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Copy diagnostics</source>
        <translation>复制诊断信息(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Open logs</source>
        <translation>打开日志(&amp;O)</translation>
    </message>
</context>
<context>
    <name>Head</name>
    <message>
        <source>&amp;Recent</source>
        <translation>最近(&amp;R)</translation>
    </message>
    <message>
        <source>What is searched</source>
        <translation>搜索的内容</translation>
    </message>
    <message>
        <source>Order of the hits</source>
        <translation>结果的顺序</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>&amp;Forget this saved search</source>
        <translation>删除这个已保存的搜索(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Save this search</source>
        <translation>保存这个搜索(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Clear recent searches</source>
        <translation>清除最近的搜索(&amp;C)</translation>
    </message>
    <message>
        <source>Words and meaning</source>
        <translation>关键词和语义</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>Best first</source>
        <translation>最相关优先</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>最新优先</translation>
    </message>
    <message>
        <source>Oldest first</source>
        <translation>最早优先</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Helps {part}</source>
        <translation>协助{part}</translation>
    </message>
    <message>
        <source>Claude has not asked anything yet.</source>
        <translation>Claude 还没有查询过任何内容。</translation>
    </message>
    <message>
        <source>What Claude asks is not recorded (Settings, Privacy).</source>
        <translation>没有记录 Claude 的查询（设置 → 隐私）。</translation>
    </message>
    <message>
        <source>The last question, at {time}, was refused: {problem}</source>
        <translation>最近一次查询（{time}）被拒绝：{problem}</translation>
    </message>
    <message>
        <source>{client} asked last at {time}, answered in {ms} ms.</source>
        <translation>{client} 最近一次查询于 {time}，用时 {ms} 毫秒。</translation>
    </message>
    <message>
        <source>works</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>being built</source>
        <translation>正在建立</translation>
    </message>
    <message>
        <source>limited</source>
        <translation>受限</translation>
    </message>
    <message>
        <source>down</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>not in use</source>
        <translation>未使用</translation>
    </message>
    <message>
        <source>answers the app and Claude</source>
        <translation>响应应用和 Claude 的请求</translation>
    </message>
    <message>
        <source>the database of claude-mem</source>
        <translation>claude-mem 的数据库</translation>
    </message>
    <message>
        <source>finds words</source>
        <translation>按关键词查找</translation>
    </message>
    <message>
        <source>what memories mean, kept in a file</source>
        <translation>记忆的语义，保存在一个文件中</translation>
    </message>
    <message>
        <source>finds what is near in meaning</source>
        <translation>查找语义相近的内容</translation>
    </message>
    <message>
        <source>turns text into vectors</source>
        <translation>把文本转换为向量</translation>
    </message>
    <message>
        <source>looks for memories that must be found</source>
        <translation>查找一定能找到的记忆</translation>
    </message>
    <message>
        <source>where the worker listens</source>
        <translation>后台服务监听的位置</translation>
    </message>
    <message>
        <source>the entries in Claude&apos;s config files</source>
        <translation>Claude 配置文件中的条目</translation>
    </message>
    <message>
        <source>what Claude asks through</source>
        <translation>Claude 通过它来查询</translation>
    </message>
    <message>
        <source>what Claude asked for and saw</source>
        <translation>Claude 查询了什么、看到了什么</translation>
    </message>
    <message>
        <source>rights, and room on the disk</source>
        <translation>权限和磁盘空间</translation>
    </message>
    <message>
        <source>a copy of all memories each day</source>
        <translation>每天为所有记忆做一份副本</translation>
    </message>
    <message>
        <source>looked at just now</source>
        <translation>刚刚检查过</translation>
    </message>
    <message numerus="yes">
        <source>looked at %n s ago</source>
        <translation>
            <numerusform>%n 秒前检查过</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>looked at %n min ago</source>
        <translation>
            <numerusform>%n 分钟前检查过</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>looked at %n h ago</source>
        <translation>
            <numerusform>%n 小时前检查过</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything was seen to work</source>
        <translation>一切正常，已逐项验证</translation>
    </message>
    <message>
        <source>Indexes are being built; search works</source>
        <translation>正在建立索引；可以搜索</translation>
    </message>
    <message>
        <source>The worker does not run</source>
        <translation>后台服务没有运行</translation>
    </message>
    <message>
        <source>No fault is known; not tried yet</source>
        <translation>没有已知故障；尚未试验</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Start worker</source>
        <translation>启动后台服务</translation>
    </message>
    <message>
        <source>Restart worker</source>
        <translation>重启后台服务</translation>
    </message>
    <message>
        <source>Check and repair</source>
        <translation>检查并修复</translation>
    </message>
    <message>
        <source>Rebuild index</source>
        <translation>重建索引</translation>
    </message>
    <message>
        <source>Rebuild vectors</source>
        <translation>重建向量</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>连接…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open logs</source>
        <translation>打开日志</translation>
    </message>
    <message>
        <source>All parts were checked. Nothing had to be mended.</source>
        <translation>所有部分都已检查，无需修复。</translation>
    </message>
    <message>
        <source>Being made anew: {names}. Search goes on.</source>
        <translation>正在重建：{names}。搜索可继续使用。</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>One part needs attention</source>
        <translation>有一个部分需要处理</translation>
    </message>
    <message numerus="yes">
        <source>%n parts need attention</source>
        <translation>
            <numerusform>有 %n 个部分需要处理</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthWindow</name>
    <message>
        <source>Health – Memtray</source>
        <translation>运行状况 – Memtray</translation>
    </message>
    <message>
        <source>Check &amp;again</source>
        <translation>重新检查(&amp;A)</translation>
    </message>
    <message>
        <source>Check and &amp;repair</source>
        <translation>检查并修复(&amp;R)</translation>
    </message>
    <message>
        <source>Re&amp;build index</source>
        <translation>重建索引(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Diagnostics…</source>
        <translation>诊断(&amp;D)…</translation>
    </message>
    <message>
        <source>Looking at each part</source>
        <translation>正在检查各个部分</translation>
    </message>
    <message>
        <source>Ask each part anew (F5)</source>
        <translation>重新检查每个部分 (F5)</translation>
    </message>
    <message>
        <source>&amp;Both indexes, of words and of vectors – some seconds</source>
        <translation>关键词和向量两个索引(&amp;B)——几秒钟</translation>
    </message>
    <message>
        <source>Index of &amp;words – some seconds</source>
        <translation>关键词索引(&amp;W)——几秒钟</translation>
    </message>
    <message>
        <source>Index of &amp;vectors – some seconds</source>
        <translation>向量索引(&amp;V)——几秒钟</translation>
    </message>
    <message>
        <source>The vectors &amp;themselves – minutes…</source>
        <translation>向量本身(&amp;T)——几分钟…</translation>
    </message>
    <message>
        <source>Looking at each part, which may take some seconds…</source>
        <translation>正在检查各个部分，可能需要几秒钟…</translation>
    </message>
    <message>
        <source>Rebuild vectors</source>
        <translation>重建向量</translation>
    </message>
    <message>
        <source>Each memory is embedded anew, which takes minutes for each 10,000. Search by words goes on meanwhile; the memories stay as they are.</source>
        <translation>每条记忆都会重新计算向量，每 10,000 条需要几分钟。其间仍可按关键词搜索；记忆本身不变。</translation>
    </message>
    <message>
        <source>Rebuild</source>
        <translation>重建</translation>
    </message>
    <message>
        <source>No program opens folders here. The folder is {folder}</source>
        <translation>这里没有可以打开文件夹的程序。文件夹是 {folder}</translation>
    </message>
</context>
<context>
    <name>Hits</name>
    <message>
        <source>words</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>语义</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>weak</source>
        <translation>较弱</translation>
    </message>
    <message>
        <source>bugfix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>feature</source>
        <translation>新功能</translation>
    </message>
    <message>
        <source>decision</source>
        <translation>决策</translation>
    </message>
    <message>
        <source>discovery</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>refactor</source>
        <translation>重构</translation>
    </message>
    <message>
        <source>change</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>observation</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>observations</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>session summaries</source>
        <translation>会话摘要</translation>
    </message>
    <message>
        <source>prompts</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Found by its words.</source>
        <translation>按关键词找到。</translation>
    </message>
    <message>
        <source>Found by its meaning: it holds none of the words.</source>
        <translation>按语义找到：其中没有搜索的词。</translation>
    </message>
    <message>
        <source>Found by its words and by its meaning.</source>
        <translation>同时按关键词和语义找到。</translation>
    </message>
    <message>
        <source>It passes the filters; newest first.</source>
        <translation>符合筛选条件；最新的在前。</translation>
    </message>
    <message>
        <source>Weak: little in it speaks for an answer.</source>
        <translation>较弱：其中能回答问题的内容不多。</translation>
    </message>
    <message>
        <source>Matched: {words}</source>
        <translation>匹配的词：{words}</translation>
    </message>
    <message>
        <source>Score: {score}</source>
        <translation>得分：{score}</translation>
    </message>
</context>
<context>
    <name>HomeWindow</name>
    <message>
        <source>Memtray</source>
        <translation>Memtray</translation>
    </message>
    <message>
        <source>Quit – Memtray</source>
        <translation>退出 – Memtray</translation>
    </message>
    <message>
        <source>Quit Memtray?</source>
        <translation>退出 Memtray？</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Minimise instead</source>
        <translation>改为最小化(&amp;M)</translation>
    </message>
    <message>
        <source>The worker keeps running, so Claude can go on searching.</source>
        <translation>后台服务会继续运行，Claude 可以继续搜索。</translation>
    </message>
    <message>
        <source>The worker ends too; Claude starts one again when it searches.</source>
        <translation>后台服务也会结束；Claude 搜索时会重新启动它。</translation>
    </message>
    <message>
        <source>This desktop shows no tray icons, so this window stands in for Memtray&apos;s icon. As soon as a tray appears, Memtray moves there.</source>
        <translation>这个桌面不显示托盘图标，所以用这个窗口代替 Memtray 的图标。一旦出现托盘，Memtray 就会移到那里。</translation>
    </message>
</context>
<context>
    <name>Import</name>
    <message>
        <source>There are no sessions of Claude Code in {folder}.</source>
        <translation>{folder} 中没有 Claude Code 的会话。</translation>
    </message>
    <message>
        <source>{sessions}, {size}, in {folder}</source>
        <translation>{sessions}，{size}，位于 {folder}</translation>
    </message>
    <message>
        <source>Claude Code deletes the oldest of them today.</source>
        <translation>Claude Code 今天会删除其中最旧的会话。</translation>
    </message>
    <message numerus="yes">
        <source>Claude Code deletes the oldest of them in %n days.</source>
        <translation>
            <numerusform>Claude Code 将在 %n 天后删除其中最旧的会话。</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for sessions…</source>
        <translation>正在查找会话…</translation>
    </message>
    <message>
        <source>Importing: {done} of {all} files</source>
        <translation>正在导入：{done} / {all} 个文件</translation>
    </message>
    <message>
        <source>Paused: {done} of {all} files</source>
        <translation>已暂停：{done} / {all} 个文件</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>✓ Imported</source>
        <translation>✓ 已导入</translation>
    </message>
    <message>
        <source>✕ Nothing of it could be read</source>
        <translation>✕ 没有可以读取的内容</translation>
    </message>
    <message>
        <source>Nothing in it became a memory</source>
        <translation>其中没有内容成为记忆</translation>
    </message>
    <message>
        <source>✓ Nothing new: all of it was there already</source>
        <translation>✓ 没有新内容：全部早已存在</translation>
    </message>
    <message>
        <source>Cancelled. What was added stays; import again, and it goes on.</source>
        <translation>已取消。已添加的内容会保留；再次导入即可继续。</translation>
    </message>
    <message>
        <source>✕ The import failed: {cause}</source>
        <translation>✕ 导入失败：{cause}</translation>
    </message>
    <message>
        <source>Memories added: {n}</source>
        <translation>已添加记忆：{n} 条</translation>
    </message>
    <message>
        <source>{done} of {all}</source>
        <translation>{done} / {all}</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/秒</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>还需 {time}</translation>
    </message>
    <message>
        <source>Memories added: {added}. There already: {known}.</source>
        <translation>已添加记忆：{added} 条。早已存在：{known} 条。</translation>
    </message>
    <message>
        <source>Memories added: {added}. There already: {known}. Files read: {files}, in {time}.</source>
        <translation>已添加记忆：{added} 条。早已存在：{known} 条。读取文件：{files} 个，用时 {time}。</translation>
    </message>
    <message>
        <source>Sessions left out, as claude-mem has recorded them: {n}</source>
        <translation>因 claude-mem 已记录而略过的会话：{n} 个</translation>
    </message>
    <message>
        <source>Sessions left out, as they are excluded or were paused: {n}</source>
        <translation>因被排除或暂停而略过的会话：{n} 个</translation>
    </message>
    <message>
        <source>Secrets left out: {secrets}</source>
        <translation>已略去的密钥等机密：{secrets}</translation>
    </message>
    <message>
        <source>Lines and files that could not be read: {n}</source>
        <translation>无法读取的行和文件：{n} 个</translation>
    </message>
    <message>
        <source>{file}, line {line}: {why}</source>
        <translation>{file}，第 {line} 行：{why}</translation>
    </message>
    <message>
        <source>{file}: {why}</source>
        <translation>{file}：{why}</translation>
    </message>
    <message>
        <source>… and {n} more</source>
        <translation>… 还有 {n} 个</translation>
    </message>
    <message>
        <source>Undo the import of {time}? The {n} memories that it added are removed, and nothing else. Importing the same files again brings them back.</source>
        <translation>撤销 {time} 的导入？它添加的 {n} 条记忆会被移除，其他内容不变。重新导入同样的文件即可恢复。</translation>
    </message>
    <message>
        <source>1 session</source>
        <translation>1 个会话</translation>
    </message>
    <message>
        <source>{n} sessions</source>
        <translation>{n} 个会话</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} 分钟</translation>
    </message>
    <message>
        <source>{n} h</source>
        <translation>{n} 小时</translation>
    </message>
</context>
<context>
    <name>ImportJobs</name>
    <message>
        <source>The worker ended amid the import. What it had added stays; import again, and it goes on from there.</source>
        <translation>后台服务在导入途中结束了。已添加的内容会保留；再次导入即可从那里继续。</translation>
    </message>
    <message>
        <source>Undone. Memories removed: {n}</source>
        <translation>已撤销。移除的记忆：{n} 条</translation>
    </message>
    <message>
        <source>That import was undone already.</source>
        <translation>那次导入早已撤销。</translation>
    </message>
</context>
<context>
    <name>ImportPanel</name>
    <message>
        <source>What the import has added is removed…</source>
        <translation>正在删除导入时添加的内容…</translation>
    </message>
</context>
<context>
    <name>ImportWindow</name>
    <message>
        <source>Import – Memtray</source>
        <translation>导入 – Memtray</translation>
    </message>
    <message>
        <source>Sta&amp;rt worker</source>
        <translation>启动后台服务(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Import Claude Code&apos;s sessions</source>
        <translation>导入 Claude Code 的会话(&amp;I)</translation>
    </message>
    <message>
        <source>Choose &amp;files…</source>
        <translation>选择文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Choose a f&amp;older…</source>
        <translation>选择文件夹(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Take in what Claude Code writes from now on</source>
        <translation>从现在起收录 Claude Code 写下的内容(&amp;T)</translation>
    </message>
    <message>
        <source>The worker does not answer ({state}). It does the import.</source>
        <translation>后台服务没有响应（{state}）。导入由它完成。</translation>
    </message>
    <message>
        <source>What to import – Memtray</source>
        <translation>选择要导入的内容 – Memtray</translation>
    </message>
    <message>
        <source>All that can be imported (*.jsonl *.json *.zip)</source>
        <translation>所有可以导入的文件 (*.jsonl *.json *.zip)</translation>
    </message>
    <message>
        <source>Transcripts of Claude Code (*.jsonl)</source>
        <translation>Claude Code 的对话记录 (*.jsonl)</translation>
    </message>
    <message>
        <source>Exports of claude.ai (*.zip *.json)</source>
        <translation>claude.ai 的导出文件 (*.zip *.json)</translation>
    </message>
    <message>
        <source>Exports of claude-mem and Memtray (*.json *.jsonl)</source>
        <translation>claude-mem 和 Memtray 的导出文件 (*.json *.jsonl)</translation>
    </message>
    <message>
        <source>Bring memories in</source>
        <translation>导入记忆</translation>
    </message>
    <message>
        <source>Conversations that Claude Code keeps become memories that you can search: prompts, what was done and decided, and a summary of each session. No model is asked, nothing leaves this machine, and secrets are left out. Only what is new is added, however often you do it. The data exports of claude.ai, of claude-mem and of Memtray can be chosen as files, too.</source>
        <translation>Claude Code 保存的对话会变成可以搜索的记忆：提示词、做过的事和决定，以及每个会话的摘要。不使用任何模型，没有内容离开这台电脑，机密信息会被略去。无论导入多少次，都只添加新内容。也可以选择 claude.ai、claude-mem 和 Memtray 的数据导出文件。</translation>
    </message>
    <message>
        <source>Each answer becomes a memory some seconds after it was written. Sessions that claude-mem records itself are left to it.</source>
        <translation>每个回答写下几秒钟后就会成为一条记忆。claude-mem 自己记录的会话由它处理。</translation>
    </message>
</context>
<context>
    <name>Keeper</name>
    <message>
        <source>Backing up…</source>
        <translation>正在备份…</translation>
    </message>
    <message>
        <source>Restoring…</source>
        <translation>正在恢复…</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Search now; in the list: read the memory</source>
        <translation>立即搜索；在列表中：阅读记忆</translation>
    </message>
    <message>
        <source>From the box into the list, and down the list</source>
        <translation>从搜索框进入列表，在列表中向下</translation>
    </message>
    <message>
        <source>Up the list, and from its top into the box</source>
        <translation>在列表中向上，到顶后回到搜索框</translation>
    </message>
    <message>
        <source>Go to the search box</source>
        <translation>转到搜索框</translation>
    </message>
    <message>
        <source>Find in the memory</source>
        <translation>在记忆中查找</translation>
    </message>
    <message>
        <source>Next hit in the memory</source>
        <translation>记忆中的下一处匹配</translation>
    </message>
    <message>
        <source>Previous hit in the memory</source>
        <translation>记忆中的上一处匹配</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Why this is a hit</source>
        <translation>为什么会出现这条结果</translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>Copy the id</source>
        <translation>复制编号</translation>
    </message>
    <message>
        <source>New memory…</source>
        <translation>新建记忆…</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Text of the usual size</source>
        <translation>恢复文字大小</translation>
    </message>
    <message>
        <source>At the beginning of the box: edit the last filter</source>
        <translation>在搜索框开头：编辑最后一个筛选条件</translation>
    </message>
    <message>
        <source>On a filter: remove it; in the list: delete what is chosen</source>
        <translation>在筛选条件上：移除它；在列表中：删除所选</translation>
    </message>
    <message>
        <source>Clear the search, then close the window</source>
        <translation>清空搜索，然后关闭窗口</translation>
    </message>
    <message>
        <source>Show these keys</source>
        <translation>显示这些按键</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys of the search window – Memtray</source>
        <translation>搜索窗口的按键 – Memtray</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>en</source>
        <translation>zh_CN</translation>
    </message>
</context>
<context>
    <name>LettingGo</name>
    <message>
        <source>Delete this memory?</source>
        <translation>删除这条记忆？</translation>
    </message>
    <message>
        <source>Delete these {n} memories?</source>
        <translation>删除这 {n} 条记忆？</translation>
    </message>
    <message>
        <source>… and {n} more</source>
        <translation>… 还有 {n} 条</translation>
    </message>
    <message>
        <source>Deleted {n} memories. {left} left.</source>
        <translation>已删除 {n} 条记忆。还有 {left} 条。</translation>
    </message>
    <message>
        <source>Deleted {n} memory. {left} left.</source>
        <translation>已删除 {n} 条记忆。还有 {left} 条。</translation>
    </message>
    <message>
        <source>Summaries that told of it went, too: {n}.</source>
        <translation>提到它的摘要也一并删除：{n}。</translation>
    </message>
    <message>
        <source>Undone: {n} memories are back.</source>
        <translation>已撤销：{n} 条记忆已恢复。</translation>
    </message>
    <message>
        <source>Undone: {n} memory is back.</source>
        <translation>已撤销：{n} 条记忆已恢复。</translation>
    </message>
    <message>
        <source>(no title)</source>
        <translation>（无标题）</translation>
    </message>
</context>
<context>
    <name>LogModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>LogWindow</name>
    <message>
        <source>Logs – Memtray</source>
        <translation>日志 – Memtray</translation>
    </message>
    <message>
        <source>&amp;Load older</source>
        <translation>载入更早的(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Jump to end</source>
        <translation>跳到末尾(&amp;J)</translation>
    </message>
    <message>
        <source>The whole entry</source>
        <translation>完整条目</translation>
    </message>
    <message>
        <source>Choose a line to see all of it.</source>
        <translation>选择一行以查看全部内容。</translation>
    </message>
    <message>
        <source>Next error</source>
        <translation>下一个错误</translation>
    </message>
    <message>
        <source>Previous error</source>
        <translation>上一个错误</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Clear view</source>
        <translation>清空视图</translation>
    </message>
    <message>
        <source>{what} ({key})</source>
        <translation>{what} ({key})</translation>
    </message>
    <message>
        <source>No error follows.</source>
        <translation>后面没有错误了。</translation>
    </message>
    <message>
        <source>No error comes before.</source>
        <translation>前面没有错误了。</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Save what is shown</source>
        <translation>保存显示的内容</translation>
    </message>
    <message>
        <source>Text (*.log *.txt)</source>
        <translation>文本 (*.log *.txt)</translation>
    </message>
    <message>
        <source>Not saved: {reason}</source>
        <translation>未保存：{reason}</translation>
    </message>
    <message>
        <source>No program opens folders here. The logs are in {folder}</source>
        <translation>这里没有可以打开文件夹的程序。日志位于 {folder}</translation>
    </message>
</context>
<context>
    <name>LoginPage</name>
    <message>
        <source>Always there</source>
        <translation>随时可用</translation>
    </message>
    <message>
        <source>Start Memtray when I &amp;log in</source>
        <translation>登录时启动 Memtray(&amp;L)</translation>
    </message>
    <message>
        <source>Only its icon appears then, and no window. You can change it in the menu.</source>
        <translation>届时只出现图标，不打开窗口。可以在菜单中更改。</translation>
    </message>
</context>
<context>
    <name>LoginRow</name>
    <message>
        <source>Start at lo&amp;gin</source>
        <translation>登录时启动(&amp;G)</translation>
    </message>
    <message>
        <source>The entry of your system itself; no window opens at such a start.</source>
        <translation>使用系统自身的启动项；这样启动时不打开窗口。</translation>
    </message>
</context>
<context>
    <name>Logs</name>
    <message>
        <source>Critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>This expression takes too long. Simplify it.</source>
        <translation>这个表达式耗时太长，请简化。</translation>
    </message>
    <message>
        <source>Not a regular expression, at character {place}: {reason}</source>
        <translation>不是正则表达式，第 {place} 个字符处：{reason}</translation>
    </message>
    <message>
        <source>Saved as {path}</source>
        <translation>已保存为 {path}</translation>
    </message>
    <message>
        <source>Nothing new has been logged in {folder}.</source>
        <translation>{folder} 中没有新的日志。</translation>
    </message>
    <message>
        <source>{shown} of {total} lines</source>
        <translation>{shown} / {total} 行</translation>
    </message>
    <message>
        <source>following</source>
        <translation>实时跟踪</translation>
    </message>
    <message>
        <source>older lines are in {folder}</source>
        <translation>更早的行位于 {folder}</translation>
    </message>
    <message>
        <source>cannot be read: {files}</source>
        <translation>无法读取：{files}</translation>
    </message>
</context>
<context>
    <name>NewMemoryDialog</name>
    <message>
        <source>New memory – Memtray</source>
        <translation>新建记忆 – Memtray</translation>
    </message>
    <message>
        <source>How the text begins, if you give none</source>
        <translation>不填则取正文的开头</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Passwords, keys and tokens in it are left out, and you are told.</source>
        <translation>其中的密码、密钥和令牌会被略去，并会告诉您。</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>正文(&amp;T)</translation>
    </message>
    <message>
        <source>T&amp;itle</source>
        <translation>标题(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Project</source>
        <translation>项目(&amp;P)</translation>
    </message>
    <message>
        <source>T&amp;ype</source>
        <translation>类型(&amp;Y)</translation>
    </message>
</context>
<context>
    <name>Nothing</name>
    <message>
        <source>Nothing is stored yet.</source>
        <translation>还没有存储任何内容。</translation>
    </message>
    <message>
        <source>Memories appear here once claude-mem has recorded a session with Claude.</source>
        <translation>claude-mem 记录了与 Claude 的会话后，记忆就会出现在这里。</translation>
    </message>
    <message>
        <source>{n} memories were searched.</source>
        <translation>搜索了 {n} 条记忆。</translation>
    </message>
    <message>
        <source>Try fewer or other words.</source>
        <translation>试试更少或不同的词。</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有找到结果。</translation>
    </message>
    <message>
        <source>The search was not answered.</source>
        <translation>搜索没有得到响应。</translation>
    </message>
    <message>
        <source>Import what Claude Code has kept ({n} sessions)…</source>
        <translation>导入 Claude Code 保存的内容（{n} 个会话）…</translation>
    </message>
    <message>
        <source>Import what Claude Code has kept (1 session)…</source>
        <translation>导入 Claude Code 保存的内容（1 个会话）…</translation>
    </message>
    <message>
        <source>Import an export of claude.ai, or other files…</source>
        <translation>导入 claude.ai 的导出文件或其他文件…</translation>
    </message>
    <message>
        <source>Remove the filter {filters} ({n} found without it)</source>
        <translation>移除筛选条件 {filters}（移除后有 {n} 条结果）</translation>
    </message>
    <message>
        <source>Remove the filters {filters} ({n} found without them)</source>
        <translation>移除筛选条件 {filters}（移除后有 {n} 条结果）</translation>
    </message>
    <message>
        <source>Search by meaning too</source>
        <translation>同时按语义搜索</translation>
    </message>
    <message>
        <source>Search by words too</source>
        <translation>同时按关键词搜索</translation>
    </message>
    <message>
        <source>What is wrong with search…</source>
        <translation>搜索出了什么问题…</translation>
    </message>
    <message>
        <source>The keyword index is not complete: {done} of {total} memories are in it.</source>
        <translation>关键词索引不完整：已收录 {done} / {total} 条记忆。</translation>
    </message>
    <message>
        <source>Search by meaning is not complete: it knows {done} of {total} memories.</source>
        <translation>语义搜索不完整：已收录 {done} / {total} 条记忆。</translation>
    </message>
    <message>
        <source>Search by meaning is off: only words are looked for.</source>
        <translation>语义搜索已关闭：只按关键词查找。</translation>
    </message>
    <message>
        <source>Search by meaning is impaired: {cause}</source>
        <translation>语义搜索受限：{cause}</translation>
    </message>
</context>
<context>
    <name>NoticesWindow</name>
    <message>
        <source>Notices – Memtray</source>
        <translation>通知 – Memtray</translation>
    </message>
    <message>
        <source>Notices since the start</source>
        <translation>启动以来的通知</translation>
    </message>
    <message>
        <source>Nothing has happened that you should know.</source>
        <translation>没有需要您知道的事情。</translation>
    </message>
    <message>
        <source>&amp;Clear list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
</context>
<context>
    <name>Parts</name>
    <message>
        <source>Memories</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Keyword index</source>
        <translation>关键词索引</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>向量</translation>
    </message>
    <message>
        <source>Vector index</source>
        <translation>向量索引</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>Trial search</source>
        <translation>试搜索</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>后台服务</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Claude&apos;s connection</source>
        <translation>Claude 的连接</translation>
    </message>
    <message>
        <source>MCP server</source>
        <translation>MCP 服务器</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>备份</translation>
    </message>
    <message>
        <source>Claude&apos;s recalls</source>
        <translation>Claude 的查阅</translation>
    </message>
    <message>
        <source>Claude Code&apos;s sessions</source>
        <translation>Claude Code 的会话</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Size of the data</source>
        <translation>数据大小</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>PlanDialog</name>
    <message>
        <source>Connect {client} – Memtray</source>
        <translation>连接 {client} – Memtray</translation>
    </message>
    <message>
        <source>Disconnect {client} – Memtray</source>
        <translation>断开 {client} – Memtray</translation>
    </message>
    <message>
        <source>All is as wanted already.</source>
        <translation>一切已符合要求，无需更改。</translation>
    </message>
    <message>
        <source>There is no command claude here. Where there is one, type this:</source>
        <translation>这里没有 claude 命令。请在有此命令的地方输入：</translation>
    </message>
    <message>
        <source>Claude Code&apos;s own command will be run. It changes {file}:</source>
        <translation>将运行 Claude Code 自己的命令，它会更改 {file}：</translation>
    </message>
    <message>
        <source>This will be changed in {file}:</source>
        <translation>{file} 中将更改以下内容：</translation>
    </message>
    <message>
        <source>A copy of the file is kept beside it, and you can undo the change.</source>
        <translation>文件的副本会保存在旁边，更改可以撤销。</translation>
    </message>
    <message>
        <source>The change</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>&amp;Copy line</source>
        <translation>复制命令(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;onnect</source>
        <translation>连接(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>断开连接(&amp;D)</translation>
    </message>
    <message>
        <source>✓ Copied</source>
        <translation>✓ 已复制</translation>
    </message>
</context>
<context>
    <name>PortDialog</name>
    <message>
        <source>The port is taken – Memtray</source>
        <translation>端口被占用 – Memtray</translation>
    </message>
    <message>
        <source>Port {port} is taken</source>
        <translation>端口 {port} 被占用</translation>
    </message>
    <message>
        <source>&amp;Use port {port}</source>
        <translation>使用端口 {port}(&amp;U)</translation>
    </message>
    <message>
        <source>The system keeps this port for itself.</source>
        <translation>系统保留了这个端口。</translation>
    </message>
    <message>
        <source>Another program has it; the system does not tell which.</source>
        <translation>另一个程序占用了它；系统没有说明是哪一个。</translation>
    </message>
    <message>
        <source>{name} (process {pid}) has it.</source>
        <translation>被 {name}（进程 {pid}）占用。</translation>
    </message>
    <message>
        <source>That is claude-mem&apos;s own worker, which Memtray leaves alone.</source>
        <translation>那是 claude-mem 自己的后台服务，Memtray 不会动它。</translation>
    </message>
    <message>
        <source>Memtray can use another port from now on. Claude and the other programs find it there by themselves; nothing else has to be changed.</source>
        <translation>Memtray 可以从现在起使用另一个端口。Claude 和其他程序会自动找到它，无需更改别的设置。</translation>
    </message>
    <message>
        <source>Or end that program, and try again.</source>
        <translation>或者结束那个程序，然后重试。</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>Facts</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>Concepts</source>
        <translation>概念</translation>
    </message>
    <message>
        <source>Files read</source>
        <translation>读取的文件</translation>
    </message>
    <message>
        <source>Files modified</source>
        <translation>修改的文件</translation>
    </message>
    <message>
        <source>Files edited</source>
        <translation>编辑的文件</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Investigated</source>
        <translation>调查</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>了解到</translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next steps</source>
        <translation>后续步骤</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>{date}, {time}</source>
        <translation>{date} {time}</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>in the future</source>
        <translation>在未来</translation>
    </message>
    <message>
        <source>a year ago</source>
        <translation>1 年前</translation>
    </message>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation>
            <numerusform>%n 年前</numerusform>
        </translation>
    </message>
    <message>
        <source>a month ago</source>
        <translation>1 个月前</translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation>
            <numerusform>%n 个月前</numerusform>
        </translation>
    </message>
    <message>
        <source>a day ago</source>
        <translation>1 天前</translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>%n 天前</numerusform>
        </translation>
    </message>
    <message>
        <source>an hour ago</source>
        <translation>1 小时前</translation>
    </message>
    <message numerus="yes">
        <source>%n hours ago</source>
        <translation>
            <numerusform>%n 小时前</numerusform>
        </translation>
    </message>
    <message>
        <source>a minute ago</source>
        <translation>1 分钟前</translation>
    </message>
    <message numerus="yes">
        <source>%n minutes ago</source>
        <translation>
            <numerusform>%n 分钟前</numerusform>
        </translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>no word of the search in it</source>
        <translation>其中没有搜索的词</translation>
    </message>
    <message>
        <source>Copied: {text}</source>
        <translation>已复制：{text}</translation>
    </message>
    <message>
        <source>Not found on this machine; the name was copied: {path}</source>
        <translation>在这台电脑上找不到；已复制名称：{path}</translation>
    </message>
    <message>
        <source>Opened: {path}</source>
        <translation>已打开：{path}</translation>
    </message>
    <message>
        <source>Choose a memory to read it here.</source>
        <translation>选择一条记忆即可在这里阅读。</translation>
    </message>
    <message>
        <source>{place} of {count}</source>
        <translation>第 {place} / {count} 处</translation>
    </message>
    <message>
        <source>1 hit</source>
        <translation>1 处匹配</translation>
    </message>
    <message>
        <source>{count} hits</source>
        <translation>{count} 处匹配</translation>
    </message>
</context>
<context>
    <name>QuestionCard</name>
    <message>
        <source>claude-mem has recorded in this database. The import adds prompts, observations and session summaries beside them. Nothing that is there changes, sessions that claude-mem has recorded are left out, and you can undo the import.</source>
        <translation>claude-mem 已在这个数据库中记录过内容。导入会在旁边添加提示词、观察和会话摘要。已有内容不会改变，claude-mem 已记录的会话会略过，导入也可以撤销。</translation>
    </message>
    <message>
        <source>&amp;Add to it</source>
        <translation>添加进去(&amp;A)</translation>
    </message>
    <message>
        <source>Not no&amp;w</source>
        <translation>暂不(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Yes, undo it</source>
        <translation>是，撤销(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Keep it</source>
        <translation>保留(&amp;K)</translation>
    </message>
</context>
<context>
    <name>Recalls</name>
    <message>
        <source>Recalls by day</source>
        <translation>每天的查阅</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Recalls</source>
        <translation>查阅</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Memories by week and type</source>
        <translation>每周各类型的记忆</translation>
    </message>
    <message>
        <source>Week of</source>
        <translation>周（起始日）</translation>
    </message>
    <message>
        <source>No recalls today</source>
        <translation>今天没有查阅</translation>
    </message>
    <message>
        <source>1 recall today, about {tokens} tokens</source>
        <translation>今天 1 次查阅，约 {tokens} 个 token</translation>
    </message>
    <message numerus="yes">
        <source>%n recalls today, about {tokens} tokens</source>
        <translation>
            <numerusform>今天 %n 次查阅，约 {tokens} 个 token</numerusform>
        </translation>
    </message>
    <message>
        <source>{recalls} in the last {days} days, about {tokens} tokens</source>
        <translation>最近 {days} 天 {recalls} 次查阅，约 {tokens} 个 token</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>(no words)</source>
        <translation>（没有词）</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>M月d日</translation>
    </message>
</context>
<context>
    <name>RecallsModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Asked for</source>
        <translation>查询内容</translation>
    </message>
    <message>
        <source>Memories</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
</context>
<context>
    <name>RecallsWindow</name>
    <message>
        <source>Claude&apos;s recalls – Memtray</source>
        <translation>Claude 的查阅 – Memtray</translation>
    </message>
    <message>
        <source>All clients</source>
        <translation>所有客户端</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation>刷新(&amp;R)</translation>
    </message>
    <message>
        <source>No recalls in these days.</source>
        <translation>这些天没有查阅。</translation>
    </message>
    <message>
        <source>No memories yet.</source>
        <translation>还没有记忆。</translation>
    </message>
    <message>
        <source>&amp;Calls</source>
        <translation>调用(&amp;C)</translation>
    </message>
    <message>
        <source>By &amp;day</source>
        <translation>按天(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Memories by week</source>
        <translation>每周记忆(&amp;M)</translation>
    </message>
</context>
<context>
    <name>ResultCard</name>
    <message>
        <source>What could not be read</source>
        <translation>无法读取的内容</translation>
    </message>
    <message>
        <source>&amp;Undo this import…</source>
        <translation>撤销这次导入(&amp;U)…</translation>
    </message>
    <message>
        <source>Search &amp;memory</source>
        <translation>搜索记忆(&amp;M)</translation>
    </message>
</context>
<context>
    <name>ResultList</name>
    <message>
        <source>Hits</source>
        <translation>结果</translation>
    </message>
</context>
<context>
    <name>Row</name>
    <message>
        <source>This value cannot be used.</source>
        <translation>不能使用这个值。</translation>
    </message>
    <message>
        <source>Holds from the worker&apos;s next start.</source>
        <translation>后台服务下次启动后生效。</translation>
    </message>
    <message>
        <source>Holds from the next start of Memtray.</source>
        <translation>Memtray 下次启动后生效。</translation>
    </message>
    <message>
        <source>Holds from the next start of Claude.</source>
        <translation>Claude 下次启动后生效。</translation>
    </message>
</context>
<context>
    <name>RunningCard</name>
    <message>
        <source>Progress of the import</source>
        <translation>导入进度</translation>
    </message>
    <message>
        <source>You can search meanwhile. Cancel keeps what was added.</source>
        <translation>其间可以搜索。取消后，已添加的内容会保留。</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>继续(&amp;G)</translation>
    </message>
</context>
<context>
    <name>Saving</name>
    <message>
        <source>Saved as {ref}: {title}</source>
        <translation>已保存为 {ref}：{title}</translation>
    </message>
    <message>
        <source>Nothing added: it is there already, as {ref}.</source>
        <translation>没有添加：它早已存在，即 {ref}。</translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Search memory: words, &quot;phrases&quot;, project:name, -type:bugfix</source>
        <translation>搜索记忆：词语、&quot;短语&quot;、project:名称、-type:bugfix</translation>
    </message>
    <message>
        <source>Search memory</source>
        <translation>搜索记忆</translation>
    </message>
</context>
<context>
    <name>SearchWindow</name>
    <message>
        <source>Search memory – Memtray</source>
        <translation>搜索记忆 – Memtray</translation>
    </message>
    <message>
        <source>&amp;Delete…</source>
        <translation>删除(&amp;D)…</translation>
    </message>
</context>
<context>
    <name>SeenPanel</name>
    <message>
        <source>What Claude saw</source>
        <translation>Claude 看到的内容</translation>
    </message>
    <message>
        <source>Memories that Claude saw</source>
        <translation>Claude 看到的记忆</translation>
    </message>
    <message>
        <source>Choose a call on the left.</source>
        <translation>请在左侧选择一次调用。</translation>
    </message>
    <message>
        <source>{client}, {tool}, {time}: about {tokens} tokens in {ms} ms</source>
        <translation>{client}，{tool}，{time}：约 {tokens} 个 token，{ms} 毫秒</translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation>已不存在</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Show only lines with… (Ctrl+F)</source>
        <translation>只显示包含以下文字的行… (Ctrl+F)</translation>
    </message>
    <message>
        <source>Show only lines with this text</source>
        <translation>只显示包含此文字的行</translation>
    </message>
    <message>
        <source>&amp;Regular expression</source>
        <translation>正则表达式(&amp;R)</translation>
    </message>
    <message>
        <source>All levels</source>
        <translation>所有级别</translation>
    </message>
    <message>
        <source>Info and graver</source>
        <translation>信息及以上</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>All parts</source>
        <translation>所有部分</translation>
    </message>
    <message>
        <source>Tray app</source>
        <translation>托盘应用</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>后台服务</translation>
    </message>
    <message>
        <source>MCP servers</source>
        <translation>MCP 服务器</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>&amp;Forget all calls…</source>
        <translation>清除所有调用记录(&amp;F)…</translation>
    </message>
    <message>
        <source>Forget all that Claude has asked for? Memories stay. Backups that were made before hold it until they are replaced.</source>
        <translation>清除 Claude 查询过的全部记录？记忆会保留。之前所做的备份仍含有这些记录，直到被新备份取代。</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>后台服务</translation>
    </message>
    <message>
        <source>Sources and excludes</source>
        <translation>来源与排除</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>As the system has it</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Start the &amp;worker with the app</source>
        <translation>随应用启动后台服务(&amp;W)</translation>
    </message>
    <message>
        <source>The worker answers searches, also those of Claude. Without this it starts when you or Claude ask for it.</source>
        <translation>后台服务响应搜索，包括 Claude 的搜索。不勾选时，在您或 Claude 需要时才启动。</translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation>端口(&amp;P)</translation>
    </message>
    <message>
        <source>Where the worker listens, on this machine alone.</source>
        <translation>后台服务监听的端口，仅限这台电脑。</translation>
    </message>
    <message>
        <source>A port is a whole number from 1 to 65535.</source>
        <translation>端口是 1 到 65535 之间的整数。</translation>
    </message>
    <message>
        <source>&amp;Log</source>
        <translation>日志(&amp;L)</translation>
    </message>
    <message>
        <source>What is written into the log files, which stay on this machine.</source>
        <translation>写入日志文件的内容；日志只留在这台电脑上。</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <source>Errors and warnings</source>
        <translation>错误和警告</translation>
    </message>
    <message>
        <source>What is done (usual)</source>
        <translation>所做的操作（通常）</translation>
    </message>
    <message>
        <source>Everything, queries too</source>
        <translation>全部，包括搜索内容</translation>
    </message>
    <message>
        <source>Reading needs the &amp;token</source>
        <translation>读取需要令牌(&amp;T)</translation>
    </message>
    <message>
        <source>For machines with several users: without it every program on this machine may read your memories. Memtray and Claude know the token, curl then needs it.</source>
        <translation>用于多人共用的电脑：不勾选时，这台电脑上的任何程序都可以读取您的记忆。Memtray 和 Claude 知道令牌，而 curl 则需要提供令牌。</translation>
    </message>
    <message>
        <source>Search by &amp;meaning too</source>
        <translation>同时按语义搜索(&amp;M)</translation>
    </message>
    <message>
        <source>Finds memories in other words than yours. It needs about 300 MB of memory; without it words alone are searched.</source>
        <translation>能找到与您用词不同的记忆。约需 300 MB 内存；不勾选时只搜索关键词。</translation>
    </message>
    <message>
        <source>Keep recent &amp;searches</source>
        <translation>保留最近的搜索(&amp;S)</translation>
    </message>
    <message>
        <source>Of the search window. Without this none is on the disk.</source>
        <translation>指搜索窗口中的搜索。不勾选时不在磁盘上保留。</translation>
    </message>
    <message>
        <source>Take in what Claude Code &amp;writes</source>
        <translation>收录 Claude Code 写下的内容(&amp;W)</translation>
    </message>
    <message>
        <source>Its transcripts become memories some seconds after each answer, without any model. Sessions that claude-mem records itself are left to it.</source>
        <translation>每次回答几秒钟后，其对话记录就会成为记忆，不使用任何模型。claude-mem 自己记录的会话由它处理。</translation>
    </message>
    <message>
        <source>&amp;Record what Claude asks for</source>
        <translation>记录 Claude 的查询(&amp;R)</translation>
    </message>
    <message>
        <source>What Claude asked and which memories it saw is kept for 30 days on this machine. Switched off, it ends at once.</source>
        <translation>Claude 查询了什么、看到了哪些记忆，会在这台电脑上保留 30 天。关闭后立即停止记录。</translation>
    </message>
    <message>
        <source>An &amp;error</source>
        <translation>发生错误(&amp;E)</translation>
    </message>
    <message>
        <source>The worker &amp;keeps ending</source>
        <translation>后台服务反复结束(&amp;K)</translation>
    </message>
    <message>
        <source>A long &amp;import is done</source>
        <translation>较长的导入已完成(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Claude&apos;s entry for Memtray is gone</source>
        <translation>Claude 中的 Memtray 条目丢失(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Chroma server</source>
        <translation>Chroma 服务器(&amp;C)</translation>
    </message>
    <message>
        <source>The address of one of your own. Empty: Memtray brings what it needs.</source>
        <translation>您自己的服务器地址。留空则由 Memtray 自带。</translation>
    </message>
    <message>
        <source>An address looks like http://127.0.0.1:8000, with nothing behind the port.</source>
        <translation>地址的格式如 http://127.0.0.1:8000，端口后面没有内容。</translation>
    </message>
    <message>
        <source>Name of the tool __&amp;IMPORTANT</source>
        <translation>工具 __IMPORTANT 的名称(&amp;I)</translation>
    </message>
    <message>
        <source>For clients that refuse a name which begins with underscores.</source>
        <translation>用于不接受以下划线开头的名称的客户端。</translation>
    </message>
    <message>
        <source>A name has 1 to 64 letters, digits, underscores or dashes.</source>
        <translation>名称由 1 到 64 个字母、数字、下划线或连字符组成。</translation>
    </message>
</context>
<context>
    <name>SettingsStore</name>
    <message>
        <source>The settings file could not be read. It was kept as {name}, and the other settings are the defaults.</source>
        <translation>无法读取设置文件。它已保留为 {name}，其他设置使用默认值。</translation>
    </message>
</context>
<context>
    <name>SettingsWindow</name>
    <message>
        <source>Settings – Memtray</source>
        <translation>设置 – Memtray</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>A message of the system appears on:</source>
        <translation>出现以下情况时显示系统通知：</translation>
    </message>
    <message>
        <source>Reset this page</source>
        <translation>重置本页</translation>
    </message>
    <message>
        <source>Your memories and all that Memtray keeps are here. Another folder is chosen by the variable CLAUDE_MEM_DATA_DIR, or by --data-dir when Memtray is started.</source>
        <translation>您的记忆和 Memtray 保存的一切都在这里。可以用环境变量 CLAUDE_MEM_DATA_DIR，或在启动 Memtray 时用 --data-dir 选择其他文件夹。</translation>
    </message>
    <message>
        <source>All settings are in this file. What you change there shows here at once.</source>
        <translation>所有设置都在这个文件中。在那里所做的更改会立即显示在这里。</translation>
    </message>
    <message>
        <source>Bac&amp;kups…</source>
        <translation>备份(&amp;K)…</translation>
    </message>
    <message>
        <source>Forget recent s&amp;earches…</source>
        <translation>清除最近的搜索(&amp;E)…</translation>
    </message>
    <message>
        <source>Forget the recent searches? Those that you have saved stay.</source>
        <translation>清除最近的搜索？您保存的搜索会保留。</translation>
    </message>
    <message>
        <source>Reset &amp;all settings…</source>
        <translation>重置所有设置(&amp;A)…</translation>
    </message>
    <message>
        <source>Put all settings back to their defaults? Memories and clients stay.</source>
        <translation>把所有设置恢复为默认值？记忆和客户端不受影响。</translation>
    </message>
</context>
<context>
    <name>Summary</name>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>{n} found in {ms} ms</source>
        <translation>{ms} 毫秒内找到 {n} 条</translation>
    </message>
    <message>
        <source>{n} memories, newest first</source>
        <translation>{n} 条记忆，最新的在前</translation>
    </message>
</context>
<context>
    <name>Supervisor</name>
    <message>
        <source>It was ended by signal {number}.</source>
        <translation>它被信号 {number} 终止。</translation>
    </message>
    <message>
        <source>Its exit code was {code}.</source>
        <translation>它的退出代码是 {code}。</translation>
    </message>
    <message>
        <source>It is being started again.</source>
        <translation>正在重新启动。</translation>
    </message>
    <message>
        <source>Crashed</source>
        <translation>已崩溃</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Restarting</source>
        <translation>正在重启</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Stopped by the user</source>
        <translation>已由用户停止</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Not answering</source>
        <translation>没有响应</translation>
    </message>
    <message>
        <source>It is not started again on its own.</source>
        <translation>不再自动启动。</translation>
    </message>
    <message>
        <source>Crashed too often</source>
        <translation>崩溃次数过多</translation>
    </message>
    <message>
        <source>The port is taken</source>
        <translation>端口被占用</translation>
    </message>
    <message>
        <source>Running with limits</source>
        <translation>受限运行</translation>
    </message>
    <message>
        <source>{done} of {total} memories</source>
        <translation>{done} / {total} 条记忆</translation>
    </message>
    <message>
        <source>Indexing</source>
        <translation>正在建立索引</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>port {port}</source>
        <translation>端口 {port}</translation>
    </message>
    <message>
        <source>{memories}, {port}</source>
        <translation>{memories}，{port}</translation>
    </message>
    <message>
        <source>1 memory</source>
        <translation>1 条记忆</translation>
    </message>
    <message numerus="yes">
        <source>%Ln memories</source>
        <translation>
            <numerusform>%Ln 条记忆</numerusform>
        </translation>
    </message>
    <message>
        <source>process {pid}, port {port}</source>
        <translation>进程 {pid}，端口 {port}</translation>
    </message>
    <message>
        <source>Try again, or end it by hand.</source>
        <translation>请重试，或手动结束它。</translation>
    </message>
    <message>
        <source>It runs, but does not answer.</source>
        <translation>它在运行，但没有响应。</translation>
    </message>
    <message>
        <source>It is started again on its own; the log tells more.</source>
        <translation>正在自动重新启动；详情见日志。</translation>
    </message>
    <message>
        <source>Look into the log, then start it again.</source>
        <translation>请查看日志，然后再次启动。</translation>
    </message>
    <message>
        <source>End that program, or start on another port.</source>
        <translation>请结束那个程序，或换一个端口启动。</translation>
    </message>
    <message>
        <source>It is of version {worker}, this app of {app}.</source>
        <translation>它的版本是 {worker}，而本应用是 {app}。</translation>
    </message>
    <message>
        <source>Quit Memtray and start it again.</source>
        <translation>请退出 Memtray 再重新启动。</translation>
    </message>
    <message>
        <source>It ended unexpectedly.</source>
        <translation>它意外结束了。</translation>
    </message>
    <message>
        <source>Restart the worker.</source>
        <translation>请重启后台服务。</translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>This memory is very long: only its beginning is shown.</source>
        <translation>这条记忆很长：只显示了开头。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>ToldBar</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Hide this message</source>
        <translation>隐藏此消息</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Memtray – {state}</source>
        <translation>Memtray – {state}</translation>
    </message>
    <message>
        <source>{part}: {cause}</source>
        <translation>{part}：{cause}</translation>
    </message>
    <message>
        <source>&amp;Quit Memtray (worker keeps running)</source>
        <translation>退出 Memtray（后台服务继续运行）(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
</context>
<context>
    <name>Troubles</name>
    <message>
        <source>{client} has lost Memtray</source>
        <translation>{client} 丢失了 Memtray</translation>
    </message>
    <message>
        <source>Its entry for Memtray is gone. Click here to put it back.</source>
        <translation>其中的 Memtray 条目已丢失。点击这里恢复。</translation>
    </message>
    <message>
        <source>The import is done</source>
        <translation>导入已完成</translation>
    </message>
    <message>
        <source>The import has ended early</source>
        <translation>导入提前结束</translation>
    </message>
    <message>
        <source>The settings cannot be read</source>
        <translation>无法读取设置</translation>
    </message>
    <message>
        <source>The file stays as it is until you change a setting; then it is kept aside.</source>
        <translation>在您更改设置之前，文件保持原样；更改时会另外保留它。</translation>
    </message>
    <message>
        <source>The worker keeps crashing</source>
        <translation>后台服务反复崩溃</translation>
    </message>
    <message>
        <source>It is not started again on its own.</source>
        <translation>不再自动启动。</translation>
    </message>
    <message>
        <source>Port {port} is taken</source>
        <translation>端口 {port} 被占用</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>另一个程序</translation>
    </message>
    <message>
        <source>{who} has it. Click here for a way out.</source>
        <translation>被{who}占用。点击这里查看解决办法。</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>✓ Memories: {count}</source>
        <translation>✓ 记忆：{count} 条</translation>
    </message>
    <message>
        <source>There is no {file}. The worker makes an empty one, which claude-mem can use later.</source>
        <translation>没有 {file}。后台服务会新建一个空的数据库，claude-mem 以后可以使用它。</translation>
    </message>
    <message>
        <source>○ No memories of claude-mem here</source>
        <translation>○ 这里没有 claude-mem 的记忆</translation>
    </message>
    <message>
        <source>They are in {file}, and are counted once the worker answers.</source>
        <translation>记忆在 {file} 中，后台服务响应后即可统计数量。</translation>
    </message>
    <message>
        <source>… The database of claude-mem is here</source>
        <translation>… claude-mem 的数据库在这里</translation>
    </message>
    <message>
        <source>{file} is empty, so a search finds nothing yet. claude-mem fills it while you work with Claude Code; you can also save memories yourself.</source>
        <translation>{file} 是空的，所以还搜索不到任何内容。您使用 Claude Code 时 claude-mem 会写入内容；您也可以自己保存记忆。</translation>
    </message>
    <message>
        <source>○ No memories yet</source>
        <translation>○ 还没有记忆</translation>
    </message>
    <message>
        <source>Projects: {projects}. From {oldest} to {newest}. They stay in {file}.</source>
        <translation>项目：{projects} 个。从 {oldest} 到 {newest}。它们保留在 {file} 中。</translation>
    </message>
    <message>
        <source>○ No sessions of Claude Code</source>
        <translation>○ 没有 Claude Code 的会话</translation>
    </message>
    <message>
        <source>There are none in {folder}.</source>
        <translation>{folder} 中没有会话。</translation>
    </message>
    <message>
        <source>✓ Sessions of Claude Code: {count}</source>
        <translation>✓ Claude Code 的会话：{count} 个</translation>
    </message>
    <message>
        <source>They are in {folder}. claude-mem makes memories while you work; of a session that it has not seen nothing is found until you import it, now or at any time from the menu.</source>
        <translation>它们在 {folder} 中。您工作时 claude-mem 会生成记忆；它没有见过的会话，要导入后才能搜索到，可以现在导入，也可以以后随时从菜单导入。</translation>
    </message>
    <message>
        <source>✓ The worker runs on port {port}</source>
        <translation>✓ 后台服务正在端口 {port} 上运行</translation>
    </message>
    <message>
        <source>It answers searches, on this machine alone.</source>
        <translation>它只在这台电脑上响应搜索。</translation>
    </message>
    <message>
        <source>… The worker is starting on port {port}</source>
        <translation>… 后台服务正在端口 {port} 上启动</translation>
    </message>
    <message>
        <source>✕ Port {port} is taken</source>
        <translation>✕ 端口 {port} 被占用</translation>
    </message>
    <message>
        <source>The menu of the icon starts the worker on another port.</source>
        <translation>可以从图标的菜单中换一个端口启动后台服务。</translation>
    </message>
    <message>
        <source>○ The worker does not run</source>
        <translation>○ 后台服务没有运行</translation>
    </message>
    <message>
        <source>✕ The worker does not answer</source>
        <translation>✕ 后台服务没有响应</translation>
    </message>
    <message>
        <source>Without it nothing is found. The menu of the icon starts it.</source>
        <translation>没有它就搜索不到任何内容。可以从图标的菜单中启动。</translation>
    </message>
</context>
<context>
    <name>WelcomeWindow</name>
    <message>
        <source>Welcome to Memtray</source>
        <translation>欢迎使用 Memtray</translation>
    </message>
    <message>
        <source>Step {number} of {all}</source>
        <translation>第 {number} 步，共 {all} 步</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>返回(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Skip all</source>
        <translation>全部跳过(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Search memory</source>
        <translation>搜索记忆(&amp;S)</translation>
    </message>
</context>
<context>
    <name>Writer</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>_Banner</name>
    <message>
        <source>What you changed holds once the worker is started anew.</source>
        <translation>更改在后台服务重新启动后生效。</translation>
    </message>
    <message>
        <source>Restart &amp;now</source>
        <translation>立即重启(&amp;N)</translation>
    </message>
</context>
</TS>
