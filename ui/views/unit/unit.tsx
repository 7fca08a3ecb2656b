export default function Unit() {
  return <h1>Unit</h1>;
}
