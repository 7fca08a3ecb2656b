export default function Notifications() {
  return <h1>Notifications</h1>;
}
