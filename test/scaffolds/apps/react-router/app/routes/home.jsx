export default function Home() {
  return <h1>A page of React Router</h1>
}
