import { Departures } from './departures'

export default function Page() {
  return (
    <>
      <h1>Night trains</h1>
      <Departures />
    </>
  )
}
