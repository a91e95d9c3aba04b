//! A small HTTP server on loopback that plays every service of the outside, and an npm registry on top of it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use serde_json::{Map, Value, json};
use sha2::Digest;

/// One answer.
#[derive(Clone)]
pub(crate) struct Reply {
    status: u16,
    body: Vec<u8>,
    /// How many bytes the header promises beyond those that come.
    missing: usize,
}

impl Reply {
    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::status(200, body)
    }

    pub(crate) fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            body: body.into(),
            missing: 0,
        }
    }

    /// The first half of `body`, and then the connection ends.
    pub(crate) fn cut(body: impl Into<Vec<u8>>) -> Self {
        let mut body: Vec<u8> = body.into();
        let kept = body.len() / 2;
        let missing = body.len() - kept;
        body.truncate(kept);
        Self {
            status: 200,
            body,
            missing,
        }
    }
}

/// The server. What has no answer is 404.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    replies: Mutex<BTreeMap<String, Reply>>,
    asked: Mutex<Vec<String>>,
    ended: AtomicBool,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if of_thread.ended.load(Ordering::SeqCst) {
                    return;
                }
                let shared = Arc::clone(&of_thread);
                std::thread::spawn(move || answer(&stream, &shared));
            }
        });
        Self { address, shared }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets or replaces the answer at `path`, as it stands in the request line.
    pub(crate) fn at(&self, path: &str, reply: Reply) {
        self.shared.replies.lock().unwrap().insert(path.to_owned(), reply);
    }

    /// The paths that were asked for since the last call.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.asked.lock().unwrap())
    }

    /// Publishes an npm package: its metadata and the archive of each version.
    pub(crate) fn npm(&self, package: &NpmPackage) {
        for version in &package.versions {
            self.at(&package.archive_path(&version.text), Reply::ok(version.archive.clone()));
        }
        let metadata = package.metadata(&self.url()).to_string();
        self.at(&package.path(), Reply::ok(metadata));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
    }
}

/// Reads one request and answers it; what the client did with it is the client's affair.
fn answer(stream: &TcpStream, shared: &Shared) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(path) = lines
        .next()
        .and_then(|line| line.split_whitespace().nth(1).map(str::to_owned))
    else {
        return;
    };
    while lines.next().is_some_and(|line| !line.is_empty()) {}
    shared.asked.lock().unwrap().push(path.clone());
    let without_query = path.split('?').next().unwrap_or_default();
    let replies = shared.replies.lock().unwrap();
    let reply = replies
        .get(&path)
        .or_else(|| replies.get(without_query))
        .cloned()
        .unwrap_or_else(|| Reply::status(404, "{}"));
    drop(replies);
    let head = format!(
        "HTTP/1.1 {} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        reply.status,
        reply.body.len() + reply.missing
    );
    let mut out = stream;
    let _ = out
        .write_all(head.as_bytes())
        .and_then(|()| out.write_all(&reply.body))
        .and_then(|()| out.flush());
}

/// A package of the loopback registry.
#[derive(Clone)]
pub(crate) struct NpmPackage {
    name: String,
    versions: Vec<NpmVersion>,
}

#[derive(Clone)]
struct NpmVersion {
    text: String,
    archive: Vec<u8>,
    unpublished: bool,
}

impl NpmPackage {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            versions: Vec::new(),
        }
    }

    /// Adds a version of one file of types, `index.d.ts`.
    #[must_use]
    pub(crate) fn version(self, text: &str, types: &str) -> Self {
        let manifest = json!({"name": self.name, "version": text, "types": "index.d.ts"}).to_string();
        let archive = tgz(&[("package/package.json", &manifest), ("package/index.d.ts", types)]);
        self.archive(text, archive)
    }

    /// Adds a version with this archive, whatever it holds.
    #[must_use]
    pub(crate) fn archive(mut self, text: &str, archive: Vec<u8>) -> Self {
        self.versions.push(NpmVersion {
            text: text.to_owned(),
            archive,
            unpublished: false,
        });
        self
    }

    /// Takes a version back: its time stays, its manifest goes.
    #[must_use]
    pub(crate) fn unpublish(mut self, text: &str) -> Self {
        for version in &mut self.versions {
            version.unpublished |= version.text == text;
        }
        self
    }

    /// The path of its metadata.
    pub(crate) fn path(&self) -> String {
        format!("/{}", self.name.replace('/', "%2F"))
    }

    /// The path of the archive of a version.
    pub(crate) fn archive_path(&self, version: &str) -> String {
        let plain = self.name.rsplit('/').next().unwrap_or_default();
        format!("/{}/-/{plain}-{version}.tgz", self.name)
    }

    /// The metadata, as the registry at `url` gives it.
    pub(crate) fn metadata(&self, url: &str) -> Value {
        let (mut versions, mut time) = (Map::new(), Map::new());
        for (day, version) in self.versions.iter().enumerate() {
            let text = &version.text;
            time.insert(text.clone(), format!("2020-01-{:02}T00:00:00.000Z", day + 1).into());
            if version.unpublished {
                continue;
            }
            let sum = base64::engine::general_purpose::STANDARD.encode(sha2::Sha512::digest(&version.archive));
            let dist = json!({
                "tarball": format!("{url}{}", self.archive_path(text)),
                "integrity": format!("sha512-{sum}"),
            });
            versions.insert(text.clone(), json!({"name": self.name, "version": text, "dist": dist}));
        }
        let alive = self.versions.iter().filter(|version| !version.unpublished);
        let latest = alive.map(|version| &version.text).rfind(|text| !text.contains('-'));
        json!({"name": self.name, "dist-tags": {"latest": latest}, "versions": versions, "time": time})
    }
}

/// A gzipped tar of `files`, by the paths as they are given, also those that a good archive would not hold.
pub(crate) fn tgz(files: &[(&str, &str)]) -> Vec<u8> {
    let mut tar = Vec::new();
    for (path, text) in files {
        tar.extend_from_slice(&entry(path, text.len() as u64));
        tar.extend_from_slice(text.as_bytes());
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.extend_from_slice(&[0; 1024]);
    gzip(&tar)
}

/// A header that says what it is told to say.
pub(crate) fn entry(path: &str, size: u64) -> [u8; 512] {
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
    header.set_mode(0o644);
    header.set_mtime(0);
    header.set_size(size);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    *header.as_bytes()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
