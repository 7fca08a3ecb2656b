/** Whether a name is that of a target of systemd.special(7): a stage of the boot, which nothing here corresponds to. */
export function isBootTarget(name: string): boolean {
  return name.endsWith(".target") && stages.test(name.slice(0, -".target".length));
}

/** Whether a target is reached when the machine sleeps, stops or is repaired, and not when it starts. */
export function isNoStart(name: string): boolean {
  return /^(?:sleep|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|shutdown|reboot|soft-reboot|halt|poweroff|kexec|final|umount|exit|rescue|emergency|sigpwr|ctrl-alt-del|system-update|system-update-pre)\.target$|\.device$/
    .test(name);
}

const stages = new RegExp(
  "^(?:basic|bluetooth|boot-complete|ctrl-alt-del|cryptsetup(?:-pre)?|default|emergency|exit|final|first-boot-complete|" +
    "getty(?:-pre)?|graphical|graphical-session(?:-pre)?|halt|hibernate|hybrid-sleep|initrd[\\w-]*|integritysetup(?:-pre)?|" +
    "kexec|local-fs(?:-pre)?|machines|multi-user|network(?:-online|-pre)?|nss-lookup|nss-user-lookup|paths|poweroff|" +
    "printer|reboot|remote-(?:fs|cryptsetup|veritysetup)(?:-pre)?|rescue|rpcbind|runlevel\\d|shutdown|sigpwr|sleep|slices|" +
    "smartcard|sockets|soft-reboot|sound|suspend|suspend-then-hibernate|swap|sysinit|syslog|system-update(?:-pre)?|" +
    "time-set|time-sync|timers|umount|usb-gadget|veritysetup(?:-pre)?|xdg-desktop-autostart)$",
);
