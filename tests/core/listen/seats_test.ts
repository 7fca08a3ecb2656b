import assert from "node:assert/strict";
import fc from "fast-check";
import type { Phase } from "../../../src/core/listen/progress.ts";
import { loopbackPeer, type Seat, Seats } from "../../../src/core/listen/seats.ts";
import { peerKey } from "../../../src/core/listen/peer_key.ts";
import { connectionShares, localSeats, sharedSeats } from "../../../src/core/listen/shares.ts";

interface Person extends Seat {
  name: string;
}

function person(peer: string, name: string, { phase, since }: { phase: Phase; since: number }): Person {
  return { peer, name, progress: () => ({ phase, since }) };
}

function filled(seats: Seats<Person>, people: readonly Person[]): Seats<Person> {
  for (const one of people) seats.take(one);
  return seats;
}

const limits = { inAll: 4, perPeer: 2, ofLoopback: 3 };

Deno.test(
  "Seats.offer() admits while there is room for all and for the peer",
  { permissions: "none" },
  () => {
    const seats = filled(new Seats<Person>(limits), [person("a", "1", { phase: "work", since: 0 })]);
    assert.deepEqual(seats.offer("a", 1), { admitted: true });
    assert.deepEqual(seats.offer("b", 1), { admitted: true });
  },
);

Deno.test("Seats.offer() makes a peer that has its share give up what has waited longest, or refuses", {
  permissions: "none",
}, () => {
  const seats = filled(new Seats<Person>(limits), [
    person("a", "busy", { phase: "work", since: 0 }),
    person("a", "idle", { phase: "idle", since: 5 }),
    person("b", "older", { phase: "idle", since: 1 }),
  ]);
  const offer = seats.offer("a", 10);
  assert.ok(offer.admitted);
  assert.equal(offer.shed?.name, "idle");
  seats.leave(offer.shed!);
  seats.take(person("a", "busy too", { phase: "work", since: 10 }));
  assert.deepEqual(seats.offer("a", 10), { admitted: false });
});

Deno.test("Seats.offer() takes a place of the heaviest peer for a stranger when all are taken", {
  permissions: "none",
}, () => {
  const seats = filled(new Seats<Person>({ inAll: 4, perPeer: 3, ofLoopback: 3 }), [
    person("light", "oldest", { phase: "idle", since: 0 }),
    person("heavy", "busy", { phase: "work", since: 0 }),
    person("heavy", "later", { phase: "fresh", since: 9 }),
    person("heavy", "sooner", { phase: "header", since: 8 }),
  ]);
  const offer = seats.offer("stranger", 10);
  assert.ok(offer.admitted);
  assert.equal(offer.shed?.name, "sooner");
});

Deno.test("Seats.offer() counts loopback by its own share", { permissions: "none" }, () => {
  const two = ["1", "2"].map((name) => person(loopbackPeer, name, { phase: "work", since: 0 }));
  const seats = filled(new Seats<Person>(limits), two);
  assert.deepEqual(seats.offer(loopbackPeer, 0), { admitted: true });
});

Deno.test("Seats hold their bounds whatever comes, and never end what is being answered", {
  permissions: "none",
}, () => {
  const phases: Phase[] = ["fresh", "header", "body", "work", "send", "idle"];
  const arrival = fc.record({
    peer: fc.constantFrom("a", "b", "c", loopbackPeer),
    phase: fc.constantFrom(...phases),
    leaves: fc.boolean(),
  });
  fc.assert(fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
    const seats = new Seats<Person>(limits);
    arrivals.forEach(({ peer, phase, leaves }, now) => {
      const offer = seats.offer(peer, now);
      if (!offer.admitted) return;
      if (offer.shed !== undefined) {
        assert.notEqual(offer.shed.progress().phase, "work");
        seats.leave(offer.shed);
      }
      const one = person(peer, String(now), { phase, since: now });
      seats.take(one);
      const counts = Map.groupBy([...seats], (seat) => seat.peer);
      assert.ok(seats.taken <= limits.inAll);
      assert.equal([...seats].length, seats.taken);
      for (const [key, list] of counts) {
        assert.ok(list.length <= (key === loopbackPeer ? limits.ofLoopback : limits.perPeer));
      }
      if (leaves) seats.leave(one);
    });
  }));
});

Deno.test("peerKey() is the address, the /64 of IPv6, and one name for all of loopback", {
  permissions: "none",
}, () => {
  assert.equal(peerKey("192.0.2.7"), "192.0.2.7");
  assert.equal(peerKey("::ffff:192.0.2.7"), "192.0.2.7");
  assert.equal(peerKey("2001:db8::1"), peerKey("2001:db8::ffff:2"));
  assert.notEqual(peerKey("2001:db8::1"), peerKey("2001:db8:0:1::1"));
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(peerKey(address), loopbackPeer);
  }
});

Deno.test("connectionShares() leave most descriptors for runs, and make at most 1,024 places", {
  permissions: "none",
}, () => {
  for (const limit of [64, 128, 512, 1024, 4096, 65_536, Infinity, undefined]) {
    const { tcp, metrics, socket } = connectionShares(limit);
    assert.ok(tcp + metrics + socket <= (limit ?? 1024) / 2, `${limit}`);
    assert.ok(tcp <= 1024 && tcp > 0 && metrics > 0 && socket > 0, `${limit}`);
  }
  assert.equal(connectionShares(65_536).tcp, 1024);
});

Deno.test(
  "sharedSeats() leave no peer all places, localSeats() have one peer",
  { permissions: "none" },
  () => {
    assert.deepEqual(sharedSeats(1024), { inAll: 1024, perPeer: 256, ofLoopback: 512 });
    assert.deepEqual(localSeats(10), { inAll: 10, perPeer: 10, ofLoopback: 10 });
  },
);
