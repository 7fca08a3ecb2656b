export default function Runs() {
  return <h1>Runs</h1>;
}
