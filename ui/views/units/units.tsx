export default function Units() {
  return <h1>Units</h1>;
}
