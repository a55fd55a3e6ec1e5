//! Zip archives for tests, made field by field, so that each field can lie (APPNOTE 6.3.10, sections 4.3.7 to 4.3.16).

use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

pub(crate) const STORED: u16 = 0;
pub(crate) const DEFLATED: u16 = 8;
pub(crate) const FILE: u32 = 0o100_644;
pub(crate) const SYMLINK: u32 = 0o120_777;

/// One file, and what both of its headers say.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    /// As Unix has it.
    pub(crate) mode: u32,
    pub(crate) crc: u32,
    /// The number of unpacked bytes.
    pub(crate) size: u32,
    /// The bytes as they lie in the archive.
    pub(crate) packed: Vec<u8>,
    pub(crate) packed_size: u32,
    /// The entry has no place of its own; it shares that of the first one.
    pub(crate) shares_first: bool,
}

/// A sound entry that is not compressed.
pub(crate) fn stored(name: &str, bytes: &[u8]) -> Entry {
    let size = u32::try_from(bytes.len()).unwrap();
    Entry {
        name: name.as_bytes().to_vec(),
        flags: 0,
        method: STORED,
        mode: FILE,
        crc: crc32(bytes),
        size,
        packed: bytes.to_vec(),
        packed_size: size,
        shares_first: false,
    }
}

/// A sound entry that is compressed.
pub(crate) fn deflated(name: &str, bytes: &[u8]) -> Entry {
    let packed = deflate(bytes);
    let packed_size = u32::try_from(packed.len()).unwrap();
    Entry { method: DEFLATED, packed, packed_size, ..stored(name, bytes) }
}

pub(crate) fn archive(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut central = Vec::new();
    for entry in entries {
        let offset = if entry.shares_first { 0 } else { u32::try_from(bytes.len()).unwrap() };
        if !entry.shares_first {
            bytes.extend(b"PK\x03\x04");
            bytes.extend(shared_fields(entry));
            bytes.extend(&entry.name);
            bytes.extend(&entry.packed);
        }
        central.extend(b"PK\x01\x02");
        central.extend(0x031E_u16.to_le_bytes());
        central.extend(shared_fields(entry));
        central.extend([0; 6]);
        central.extend((entry.mode << 16).to_le_bytes());
        central.extend(offset.to_le_bytes());
        central.extend(&entry.name);
    }
    let end = end(entries.len(), central.len(), bytes.len());
    [bytes, central, end].concat()
}

/// From the version that is needed to the length of the extra field.
fn shared_fields(entry: &Entry) -> Vec<u8> {
    let words = [20, entry.flags, entry.method, 0, 0x21];
    let name_length = u16::try_from(entry.name.len()).unwrap();
    let mut fields: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for number in [entry.crc, entry.packed_size, entry.size] {
        fields.extend(number.to_le_bytes());
    }
    fields.extend(name_length.to_le_bytes());
    fields.extend([0; 2]);
    fields
}

fn end(entries: usize, central_bytes: usize, central_offset: usize) -> Vec<u8> {
    let count = u16::try_from(entries).unwrap().to_le_bytes();
    let length = u32::try_from(central_bytes).unwrap().to_le_bytes();
    let offset = u32::try_from(central_offset).unwrap().to_le_bytes();
    [b"PK\x05\x06", &[0; 4][..], &count, &count, &length, &offset, &[0; 2]].concat()
}

/// The Deflate form of `bytes`, cut out of an archive that the library wrote.
fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    writer.start_file("x", options).unwrap();
    writer.write_all(bytes).unwrap();
    let mut archive = ZipArchive::new(writer.finish().unwrap()).unwrap();
    let mut packed = Vec::new();
    archive.by_index_raw(0).unwrap().read_to_end(&mut packed).unwrap();
    packed
}

/// As zip has it: reflected, polynomial 0xEDB88320.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    })
}
