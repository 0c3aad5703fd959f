// Shows the data of the page: tilings one by one, the steps of a search, or the moves by which a tiling comes apart. See tiler/render/viewer.py for what the data are.
"use strict";
(() => {
const PARTS = `<div id="stage" tabindex="0" role="img"></div><div id="controls"></div>
  <p><span id="said" aria-live="polite"></span> <b id="pointed"></b></p><p id="tried"></p>
  <details><summary>Where the pieces lie</summary><div><table><thead><tr><th>tile</th><th>cells</th></tr></thead><tbody id="rows"></tbody></table></div></details>`;

const REST = 80; // milliseconds without another cell, after which one is marked

// Shows data in an element, which gets the parts it needs if it does not have them. `picked` is called with the number of a cell of a
// body that is clicked, and of its face. Returns what ends the view; its property `show` takes data that have changed, `choose` marks a cell of a body.
function mount(element, data, picked = null) {
  const $ = (id) => element.querySelector("#" + id);
  if (!$("stage")) element.innerHTML = PARTS;
  const state = { at: 0, shown: Infinity, layer: Infinity, apart: 0, colours: "copy", playing: null };
  const frame = () => data.frames[data.moves ? 0 : state.at] || [];
  const count = (data.moves || data.frames).length;
  const { bare: BARE, ink: INK } = data;

  function fill(piece) {
    if (state.colours === "grey") return data.greys[piece[0] % data.greys.length];
    return state.colours === "tile" ? data.colours[piece[0]] : piece[1];
  }

  function owners() {
    const owner = new Map();
    frame().forEach((piece, number) => piece[2].forEach((cell) => owner.set(cell, number)));
    return owner;
  }

  // Of a tiling that comes apart: where each piece is on its way to this move (null: it is not shown), which takes a moment.
  const way = { from: null, begun: 0, last: null };
  function places() {
    const time = way.from ? Math.min(1, (performance.now() - way.begun) / 450) : 1;
    const part = time * time * (3 - 2 * time); // Pieces start and stop slowly.
    way.last = data.moves[state.at].at.map((to, piece) => {
      const from = way.from && way.from[piece];
      return to && from ? to.map((a, k) => from[k] + (a - from[k]) * part) : to;
    });
    if (time === 1) way.from = null;
    return way.last;
  }

  function walk() {
    if (data.dimension === 2) drawApart();
    else if (space) movePieces();
    if (way.from) requestAnimationFrame(walk);
  }

  // In the plane: pieces on their way, in a box that has room for all moves.
  let room = null;
  function drawApart() {
    if (!room) {
      const spots = data.moves.flatMap(({ at }) => at.flatMap((by, piece) => (by ? frame()[piece][2] : [])
        .flatMap((cell) => data.cells[cell].map((p) => [p[0] + by[0], p[1] + by[1]]))));
      const [left, top] = [0, 1].map((k) => Math.min(...spots.map((p) => p[k])) - 2 * data.border);
      const [right, low] = [0, 1].map((k) => Math.max(...spots.map((p) => p[k])) + 2 * data.border);
      room = [left, top, right - left, low - top];
    }
    const at = places();
    const line = ([p, q]) => `M${p.join(" ")}L${q.join(" ")}`;
    const parts = frame().map((piece, number) => {
      if (!at[number]) return "";
      const own = new Set(piece[2]);
      const cells = piece[2].map((cell) => `M${data.cells[cell].map((p) => p.join(" ")).join("L")}Z`).join("");
      const border = data.edges.filter(([, , a, b]) => own.has(a) !== own.has(b)).map(line).join("");
      return `<g class="piece" data-piece="${number}" transform="translate(${at[number].join(" ")})">` +
        `<title>${escape_(data.tiles[piece[0]])}</title>` +
        `<path class="cell" fill="${fill(piece)}" stroke="${INK}" stroke-opacity=".25" stroke-width="${data.thin}" d="${cells}"/>` +
        `<path fill="none" stroke="${INK}" stroke-width="${data.border}" stroke-linecap="round" d="${border}"/></g>`;
    });
    $("stage").innerHTML = `<svg viewBox="${room.join(" ")}" aria-hidden="true">${parts.join("")}</svg>`;
  }

  function movePieces() {
    const at = places();
    space.reach = Math.max(data.reach, reachOf(at));
    space.pieces.children.forEach((group, piece) => {
      group.visible = Boolean(at[piece]);
      group.position.set(...(at[piece] || [0, 0, 0]));
    });
    render();
  }

  // In the plane: a path for each piece, thick lines where owners differ.
  function drawPlane() {
    const [left, top, wide, high] = data.box;
    const owner = owners();
    const path = (loop) => "M" + loop.map((p) => p.join(" ")).join("L") + "Z";
    const parts = [];
    const bare = data.cells.map((_, cell) => cell).filter((cell) => !owner.has(cell));
    parts.push(`<path fill="${BARE}" d="${bare.map((cell) => path(data.cells[cell])).join("")}"/>`);
    const painted = (each) => each.map(([loop, colour, width]) =>
      `<path class="coat" fill="${colour}" stroke="${width ? INK : "none"}" stroke-width="${width}" d="${path(loop)}"/>`).join("");
    parts.push(painted(data.ground));
    frame().slice(0, state.shown).forEach((piece, number) => {
      const name = escape_(data.tiles[piece[0]]);
      const cells = piece[2].map((cell) => path(data.cells[cell])).join("");
      parts.push(`<g class="piece" data-piece="${number}"><title>${name}</title>` +
        `<path class="cell" fill="${fill(piece)}" stroke="${INK}" stroke-opacity=".25" stroke-width="${data.thin}" d="${cells}"/></g>`);
    });
    const coats = frame().slice(0, state.shown).map((piece) => piece[3] || [[], [], []]);
    for (const k of [0, 1]) coats.forEach((coat) => parts.push(painted(coat[k])));
    const shown = (cell) => (cell >= 0 && owner.has(cell) && owner.get(cell) < state.shown ? owner.get(cell) : -1);
    // Pieces with a coat have outlines of their own, with tabs and sockets.
    const coated = (cell) => shown(cell) >= 0 && coats[shown(cell)][2].length;
    const thick = data.edges.filter(([, , a, b]) => (b < 0 || shown(a) !== shown(b)) && !coated(a) && !coated(b));
    const lines = thick.map(([p, q]) => `M${p.join(" ")}L${q.join(" ")}`).join("");
    parts.push(`<path fill="none" stroke="${INK}" stroke-width="${data.border}" stroke-linecap="round" d="${lines}"/>`);
    coats.forEach((coat) => parts.push(painted(coat[2])));
    for (const [cell, said, x, y, size] of data.labels) {
      if (shown(cell) < 0) parts.push(`<text class="label" x="${x}" y="${y}" font-size="${size}" fill="${INK}">${escape_(said)}</text>`);
    }
    const step = tried();
    if (step) {
      const around = (cells) => {
        const own = new Set(cells);
        return data.edges.filter(([, , a, b]) => own.has(a) !== own.has(b)).map(([p, q]) => `M${p.join(" ")}L${q.join(" ")}`).join("");
      };
      for (const [, cells] of step.others) parts.push(`<path class="other" vector-effect="non-scaling-stroke" d="${around(cells)}"/>`);
      if (step.cell >= 0) parts.push(`<path class="looked" vector-effect="non-scaling-stroke" d="${path(data.cells[step.cell])}"/>`);
    }
    $("stage").innerHTML = `<svg viewBox="${left} ${top} ${wide} ${high}" aria-hidden="true">${parts.join("")}</svg>`;
  }

  // Of a search: the cell looked at (-1: a tile), the placements that cover it (or are of that tile), and which others of them fit.
  const covering = new Map();
  function tried() {
    const pieces = frame();
    const last = pieces[pieces.length - 1];
    if (!data.trace || !last) return null;
    const cell = data.looked[state.at];
    const chosen = cell < 0 || last[2].includes(cell);
    if (!data.placements) return { cell, chosen, all: [], others: [], known: false };
    const before = chosen ? pieces.slice(0, -1) : pieces;
    const taken = new Set(before.flatMap((piece) => piece[2]));
    const left = [...data.most];
    for (const [tile] of before) left[tile] -= 1;
    const key = cell < 0 ? -1 - last[0] : cell;
    if (!covering.has(key)) {
      covering.set(key, data.placements.filter(([tile, cells]) => (cell < 0 ? tile === last[0] : cells.includes(cell))));
    }
    const all = covering.get(key);
    const fit = all.filter(([tile, cells]) => left[tile] > 0 && !cells.some((each) => taken.has(each)));
    const same = ([tile, cells]) => chosen && tile === last[0] && cells.join() === last[2].join();
    return { cell, chosen, all, others: fit.filter((each) => !same(each)), known: true };
  }

  // How many steps before this one, at the same place of the tree, are placements tried before it.
  function earlier() {
    const depth = frame().length;
    const above = JSON.stringify(frame().slice(0, -1));
    let count = 0;
    for (let at = state.at - 1; at >= 0 && data.frames[at].length >= depth; at--) {
      if (data.frames[at].length === depth && JSON.stringify(data.frames[at].slice(0, -1)) === above) count++;
    }
    return count;
  }

  function tellTried() {
    const step = tried();
    if (!step) return "";
    const last = frame()[frame().length - 1];
    const target = step.cell < 0 ? `the tile ${data.tiles[last[0]]}` : `the cell ${data.names[step.cell]}`;
    if (!step.known) return `Looks at ${target}.`;
    const fit = step.others.length + (step.chosen ? 1 : 0);
    const which = step.cell < 0 ? "of it" : "that cover it";
    const now = step.chosen ? ` This is number ${earlier() + 1} that is tried.` : " It stays open.";
    return `Looks at ${target}: of ${step.all.length} placements ${which} ${fit} ${fit === 1 ? "fits" : "fit"} here.${now}`;
  }

  function escape_(text) {
    return text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  }

  // In space: a group for each piece, which moves out as the whole is taken apart.
  let space = null;
  function startSpace() {
    const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    renderer.setClearColor(0xffffff);
    $("stage").replaceChildren(renderer.domElement);
    renderer.domElement.setAttribute("aria-hidden", "true");
    const scene = new THREE.Scene();
    const camera = new THREE.PerspectiveCamera(35, 1, 0.1, 1000);
    const [x, y, z] = data.middle;
    camera.up.set(0, 0, 1);
    camera.position.set(x + 0.55, y + 0.75, z + 0.6);
    scene.add(new THREE.AmbientLight(0xffffff, 1.6));
    const light = new THREE.DirectionalLight(0xffffff, 2.2);
    light.position.set(0.4, 0.8, 1.4);
    scene.add(light);
    const turning = new THREE.OrbitControls(camera, renderer.domElement);
    turning.target.set(x, y, z);
    turning.addEventListener("change", render);
    const pieces = new THREE.Group();
    scene.add(pieces);
    const ray = new THREE.Raycaster();
    const pointedAt = (event) => {
      const { left, top, width, height } = renderer.domElement.getBoundingClientRect();
      const at = new THREE.Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
      ray.setFromCamera(at, camera);
      return ray.intersectObjects(pieces.children, true).find((each) => each.object.isMesh);
    };
    renderer.domElement.addEventListener("pointermove", (event) => {
      const hit = pointedAt(event);
      mark(hit ? pieces.children.indexOf(hit.object.parent) : -1);
    });
    const chosen = new THREE.Group();
    scene.add(chosen);
    let pressed = null;
    renderer.domElement.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
    renderer.domElement.addEventListener("click", (event) => {
      if (!picked || !pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 5) return;
      const hit = pointedAt(event);
      if (!hit) return;
      const { cell, triangles } = hit.object.userData;
      picked(...(triangles ? triangles[hit.faceIndex] : [cell, -1]));
    });
    space = { renderer, scene, camera, turning, pieces, chosen, reach: data.reach, far: 0 };
    new ResizeObserver(render).observe($("stage"));
    turning.update();
  }

  // All pieces lie within `reach` of the middle, and are seen from so far that they stay inside the picture, whichever way they are
  // turned. Whoever has zoomed keeps that: the camera moves away by as much as the distance that is needed grows.
  function keepInside() {
    const { camera, turning } = space;
    const half = (camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * camera.aspect));
    const needed = (1.03 * space.reach) / Math.sin(narrow);
    const away = camera.position.clone().sub(turning.target);
    away.setLength(space.far ? (away.length() * needed) / space.far : needed);
    space.far = needed;
    camera.position.copy(turning.target).add(away);
    camera.far = 4 * Math.max(needed, away.length());
    camera.near = camera.far / 1000;
    camera.updateProjectionMatrix();
  }

  function render() {
    const { clientWidth: wide, clientHeight: high } = $("stage");
    space.renderer.setSize(wide, high, false);
    space.camera.aspect = wide / Math.max(1, high);
    keepInside();
    space.renderer.render(space.scene, space.camera);
  }

  // How far from the middle pieces are on their way, those that go off too: the camera moves away with them.
  function reachOf(at) {
    let furthest = 0;
    frame().forEach((piece, number) => (at[number] ? piece[2] : []).forEach((cell) => {
      const far = Math.hypot(...data.centres[cell].map((a, k) => a + at[number][k] - data.middle[k]));
      furthest = Math.max(furthest, far + data.around);
    }));
    return furthest;
  }

  // Faces lie a little behind their edges, which would be seen in parts only.
  function surface(colour) {
    const behind = { polygonOffset: true, polygonOffsetFactor: 1.5, polygonOffsetUnits: 2 };
    return new THREE.MeshLambertMaterial({ color: new THREE.Color(colour), ...behind });
  }

  // Takes all out of a group, and off the graphics card, where it would stay else.
  function empty(group) {
    group.traverse((each) => {
      if (each.geometry) each.geometry.dispose();
      if (each.material) each.material.dispose();
    });
    group.clear();
  }

  // A piece is few objects, one for each of its colours and one for its edges: where there is no graphics card each costs much.
  function drawSpace() {
    empty(space.pieces);
    space.reach = data.reach;
    frame().slice(0, state.shown).forEach((piece) => {
      const group = new THREE.Group();
      const middle = [0, 1, 2].map((k) => piece[2].reduce((sum, cell) => sum + data.centres[cell][k], 0) / piece[2].length);
      const out = middle.map((a, k) => (a - data.middle[k]) * state.apart);
      // Cells without a piece, which only a body that is played has, are of glass.
      const material = surface(piece[0] < 0 ? piece[1] : fill(piece));
      if (piece[0] < 0) Object.assign(material, { transparent: true, opacity: 0.13, depthWrite: false });
      const own = new Set(piece[2]);
      const painted = new Map((piece[3] || []).map(([cell, face, colour]) => [cell + "," + face, colour]));
      const points = new Map(); // corners of triangles, by the colour of a coat
      const triangles = new Map(); // [cell, face] of each triangle
      const ends = [];
      for (const cell of piece[2]) {
        if (data.layers[cell] > state.layer) continue;
        const centre = data.centres[cell];
        if (!data.faces[cell].length) {
          const ball = new THREE.Mesh(new THREE.SphereGeometry(0.5, 24, 16), material);
          ball.position.set(...centre);
          ball.userData.cell = cell;
          group.add(ball);
          continue;
        }
        for (const [face, [corners, beyond]] of data.faces[cell].entries()) {
          const hidden = beyond >= 0 && own.has(beyond) && data.layers[beyond] <= state.layer;
          if (hidden) continue;
          const at = corners.map((corner) => data.points[corner].map((a, k) => centre[k] + (a - centre[k]) * 0.985));
          const coat = painted.get(cell + "," + face) || "";
          if (!points.has(coat)) {
            points.set(coat, []);
            triangles.set(coat, []);
          }
          for (let k = 1; k + 1 < at.length; k++) {
            points.get(coat).push(...at[0], ...at[k], ...at[k + 1]);
            triangles.get(coat).push([cell, face]);
          }
          at.forEach((corner, k) => ends.push(...corner, ...at[(k + 1) % at.length]));
        }
      }
      for (const [coat, corners] of points) {
        const body = new THREE.BufferGeometry();
        body.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
        body.computeVertexNormals();
        const mesh = new THREE.Mesh(body, coat ? surface(coat) : material);
        mesh.userData.triangles = triangles.get(coat);
        group.add(mesh);
      }
      if (ends.length) {
        const wires = new THREE.BufferGeometry();
        wires.setAttribute("position", new THREE.Float32BufferAttribute(ends, 3));
        group.add(new THREE.LineSegments(wires, new THREE.LineBasicMaterial({ color: INK, ...(material.transparent ? { transparent: true, opacity: 0.3 } : {}) })));
      }
      for (const cell of piece[2]) {
        const far = Math.hypot(...data.centres[cell].map((a, k) => a + out[k] - data.middle[k]));
        space.reach = Math.max(space.reach, far + data.around);
      }
      group.position.set(...out);
      space.pieces.add(group);
    });
    if (data.moves) movePieces();
    else render();
  }

  // Marks a cell by its edges, over everything. It is drawn once the hand rests: without a graphics card that takes longer than a
  // frame, and a piece that is dragged goes over many cells.
  let resting = 0;
  function choose(cell) {
    if (!space) return;
    empty(space.chosen);
    if (cell >= 0 && data.layers[cell] <= state.layer) {
      const ends = [];
      for (const [corners] of data.faces[cell]) {
        corners.forEach((corner, k) => ends.push(...data.points[corner], ...data.points[corners[(k + 1) % corners.length]]));
      }
      const red = { color: 0xc00000, depthTest: false };
      if (ends.length) {
        const wires = new THREE.BufferGeometry();
        wires.setAttribute("position", new THREE.Float32BufferAttribute(ends, 3));
        space.chosen.add(new THREE.LineSegments(wires, new THREE.LineBasicMaterial(red)));
      } else {
        const ball = new THREE.Mesh(new THREE.SphereGeometry(0.52, 24, 16), new THREE.MeshLambertMaterial({ ...red, transparent: true, opacity: 0.5 }));
        ball.position.set(...data.centres[cell]);
        space.chosen.add(ball);
      }
    }
    clearTimeout(resting);
    resting = setTimeout(render, REST);
  }

  // Other data, such as other pieces, or a body that has grown.
  function show(more) {
    Object.assign(data, more);
    if (space) {
      const { camera, turning } = space;
      camera.position.sub(turning.target); // It is seen from the same side, wherever its middle is now.
      turning.target.set(...data.middle);
      camera.position.add(turning.target);
      $("layer").max = Math.max(...data.layers);
      if (state.layer === Infinity) $("layer").value = $("layer").max;
      empty(space.chosen);
    }
    if ($("shown")) {
      $("shown").max = frame().length;
      state.shown = Infinity;
    }
    draw();
  }

  // The piece below the pointer is named, and in the plane drawn brighter.
  function mark(number) {
    const piece = frame()[number];
    $("pointed").textContent = piece ? data.tiles[piece[0]] || "" : "";
    for (const group of element.querySelectorAll("#stage .piece")) {
      group.classList.toggle("marked", Number(group.dataset.piece) === number);
    }
  }

  // What is shown, in words and as a table: for screen readers, and where there is no WebGL.
  function tell() {
    const noun = data.trace ? "step" : "tiling";
    const pieces = frame().slice(0, state.shown).filter((piece) => piece[0] >= 0);
    const covered = new Set(pieces.flatMap((piece) => piece[2]));
    const left = data.labels.filter(([cell]) => !covered.has(cell)).map(([, said]) => said);
    const open = left.length && state.shown >= frame().length && !data.trace ? `; open: ${left.join(" ")}` : "";
    const where = `${noun} ${state.at + 1} of ${count}, ${pieces.length} ${pieces.length === 1 ? "piece" : "pieces"}${open}`;
    const title = data.title === "tiling" ? "" : `${data.title}: `;
    $("said").textContent = title + (data.moves ? data.moves[state.at].said : where);
    if (!$("stage").hasAttribute("aria-labelledby")) $("stage").setAttribute("aria-label", $("said").textContent);
    $("tried").textContent = tellTried();
    $("rows").innerHTML = pieces.map((piece) =>
      `<tr><th scope="row">${escape_(data.tiles[piece[0]])}</th><td>${piece[2].map((cell) => data.names[cell]).join(" ")}</td></tr>`,
    ).join("");
  }

  function draw() {
    if (data.moves && data.dimension === 2) drawApart();
    else if (data.dimension === 2) drawPlane();
    else if (space) drawSpace();
    tell();
    for (const [id, value] of [["at", state.at + 1], ["shown", Math.min(state.shown, frame().length)], ["apart", state.apart]]) {
      if ($(id)) $(id).value = value;
    }
  }

  function go(to) {
    state.at = Math.max(0, Math.min(count - 1, to));
    if (data.moves && way.last) {
      // Whoever asks for less motion sees the pieces where the move ends.
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      Object.assign(way, { from: still ? null : way.last, begun: performance.now() });
      walk();
      tell();
      $("at").value = state.at + 1;
      return;
    }
    if ($("shown")) {
      $("shown").max = frame().length;
      state.shown = Infinity;
    }
    draw();
  }

  function play(on) {
    clearInterval(state.playing);
    state.playing = on ? setInterval(() => (state.at + 1 < count ? go(state.at + 1) : play(false)), $("pace").value) : null;
    $("play").textContent = on ? "Pause" : "Play";
  }

  function slider(id, said, least, most, step, value, changed) {
    const label = document.createElement("label");
    label.textContent = said;
    const input = Object.assign(document.createElement("input"), { type: "range", id, min: least, max: most, step });
    input.value = value;
    input.addEventListener("input", () => changed(Number(input.value)));
    label.append(input);
    $("controls").append(label);
  }

  function choice(id, said, options, changed) {
    const label = document.createElement("label");
    label.textContent = said;
    const select = Object.assign(document.createElement("select"), { id });
    for (const [value, text] of options) select.append(new Option(text, value));
    select.addEventListener("change", () => changed(select.value));
    label.append(select);
    $("controls").append(label);
  }

  function button(id, said, pressed) {
    const made = Object.assign(document.createElement("button"), { id, type: "button", textContent: said });
    made.addEventListener("click", pressed);
    $("controls").append(made);
  }

  if (count > 1) {
    button("before", "◀", () => go(state.at - 1));
    slider("at", data.moves ? "Move" : data.trace ? "Step" : "Tiling", 1, count, 1, 1, (value) => go(value - 1));
    button("after", "▶", () => go(state.at + 1));
    $("before").setAttribute("aria-label", "one back");
    $("after").setAttribute("aria-label", "one on");
  }
  if (data.trace) {
    button("play", "Play", () => play(!state.playing));
    choice("pace", "Pace", [[400, "slow"], [80, "fast"], [15, "fastest"]], () => state.playing && play(true));
  }
  if (data.moves) {
    button("play", "Play", () => play(!state.playing));
    choice("pace", "Pace", [[1200, "slow"], [600, "fast"]], () => state.playing && play(true));
  } else if (!data.trace) {
    slider("shown", "Pieces", 0, frame().length, 1, frame().length, (value) => { state.shown = value; draw(); });
  }
  if (data.dimension === 3) {
    if (!data.moves) slider("apart", "Apart", 0, 2, 0.05, 0, (value) => { state.apart = value; draw(); });
    const top = Math.max(...data.layers);
    slider("layer", "Layers", 0, top, 1, top, (value) => { state.layer = value; draw(); });
  }
  choice("colours", "Colours", [["copy", "by copy"], ["tile", "by tile"], ["grey", "grey"]], (value) => { state.colours = value; draw(); });

  // A page that has nothing else listens to keys wherever they are pressed.
  (element === document.body ? document : element).addEventListener("keydown", (event) => {
    if (["INPUT", "SELECT"].includes(event.target.tagName)) return;
    const keys = { "[": () => go(state.at - 1), "]": () => go(state.at + 1), Home: () => go(0), End: () => go(Infinity) };
    if ($("play")) keys[" "] = () => play(!state.playing);
    if (space) {
      const turn = (across, up) => () => {
        const away = space.camera.position.clone().sub(space.turning.target);
        away.applyAxisAngle(new THREE.Vector3(0, 0, 1), across);
        away.applyAxisAngle(new THREE.Vector3(-away.y, away.x, 0).normalize(), up);
        space.camera.position.copy(space.turning.target).add(away);
        space.turning.update();
      };
      Object.assign(keys, {
        ArrowLeft: turn(0.15, 0), ArrowRight: turn(-0.15, 0), ArrowUp: turn(0, 0.1), ArrowDown: turn(0, -0.1),
        e: () => { if (data.moves) return; state.apart = Math.min(2, state.apart + 0.1); draw(); },
        E: () => { if (data.moves) return; state.apart = Math.max(0, state.apart - 0.1); draw(); },
      });
    } else {
      Object.assign(keys, { ArrowLeft: keys["["], ArrowRight: keys["]"] });
    }
    if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    }
  });

  for (const kind of ["pointerover", "pointerdown"]) {
    $("stage").addEventListener(kind, (event) => {
      const group = event.target.closest && event.target.closest(".piece");
      if (data.dimension === 2) mark(group ? Number(group.dataset.piece) : -1);
    });
  }

  if (data.dimension === 3) {
    try {
      startSpace();
    } catch (error) {
      $("stage").textContent = "This browser cannot draw in space (WebGL); the table below says where the pieces lie.";
    }
  }
  go(0);
  element.dataset.ready = "yes";
  const end = () => {
    clearInterval(state.playing);
    clearTimeout(resting);
    if (!space) return;
    space.renderer.dispose();
    space.renderer.forceContextLoss();
  };
  return Object.assign(end, { show, choose });
}

window.tilerViewer = { mount };
const own = document.getElementById("data");
if (own) mount(document.body, JSON.parse(own.textContent));
})();
