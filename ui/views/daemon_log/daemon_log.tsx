export default function DaemonLog() {
  return <h1>DaemonLog</h1>;
}
